import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { QuerentError } from '../../domain/errors.ts'
import { referencesOf } from '../build/merge-metrics.ts'
import { importCube } from './cube/import-cube.ts'
import { importDbt } from './dbt/import-dbt.ts'
import { importSemanticViews } from './import-snowflake.ts'
import type { ImportedLayer, SkippedItem, SourceFile } from './imported-layer.ts'
import { importLookml } from './lookml/import-lookml.ts'
import { importOssie } from './ossie/import-ossie.ts'

/** The formats that can be imported. */
export type ImportFormat = keyof typeof importers

const importers = {
  dbt: importDbt,
  ossie: importOssie,
  cube: importCube,
  lookml: importLookml,
  'snowflake-view': importSemanticViews,
} as const satisfies Record<string, (files: readonly SourceFile[]) => ImportedLayer>

/** The names of the formats. */
export const importFormats = Object.keys(importers) as readonly ImportFormat[]

/**
 * Translates the semantic layer of another tool. Every item of the files is either translated or skipped with a reason.
 * Throws `QuerentError` with every problem if the files cannot be read.
 */
export const importLayer = (format: ImportFormat, files: readonly SourceFile[]): ImportedLayer =>
  importers[format](files)

/** Which files of a folder belong to a format, and how to get them. */
const sources: Readonly<Record<ImportFormat, { readonly name: RegExp; readonly hint: string }>> = {
  dbt: {
    name: /^(semantic_)?manifest\.json$/,
    hint: 'Run `dbt parse`, then pass target/semantic_manifest.json and, for descriptions of columns, target/manifest.json.',
  },
  ossie: { name: /\.ya?ml$/, hint: 'Pass the YAML file of a semantic model.' },
  cube: {
    name: /\.(?:ya?ml|json)$/,
    hint: 'Pass the model folder with its YAML files, or what /cubejs-api/v1/meta?extended answers, as a .json file.',
  },
  lookml: {
    name: /\.lkml$/,
    hint: 'Pass the folder of the project, with its .model.lkml and .view.lkml files.',
  },
  'snowflake-view': {
    name: /\.ya?ml$/,
    hint: 'Save what SYSTEM$READ_YAML_FROM_SEMANTIC_VIEW returns as a .yaml file, and pass that.',
  },
}

/** Folders with the files of others. */
const foreign = /(^|[/\\])(node_modules|\.git|dbt_packages)[/\\]/

/**
 * Reads files to import, and those of a format in folders. Throws `QuerentError('bad-arguments')` with every path that
 * leads to none.
 */
export const readSourceFiles = async (
  format: ImportFormat,
  paths: readonly string[],
): Promise<readonly SourceFile[]> => {
  const { name: pattern, hint } = sources[format]
  const problems: string[] = []
  const filesOf = async (path: string): Promise<readonly SourceFile[]> => {
    try {
      if (!(await stat(path)).isDirectory()) return [{ name: path, text: await readFile(path, 'utf8') }]
      const entries = await readdir(path, { recursive: true, withFileTypes: true })
      const found = entries
        .filter(entry => entry.isFile() && pattern.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name))
        .filter(file => !foreign.test(relative(path, file)))
        .sort()
      if (found.length === 0) problems.push(`${path} has no files of this format. ${hint}`)
      return await Promise.all(
        found.map(async file => ({ name: relative(path, file), text: await readFile(file, 'utf8') })),
      )
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      problems.push(
        code === 'ENOENT'
          ? `There is no file or folder ${path}. ${hint}`
          : `Cannot read ${path} (${code}). Check its permissions.`,
      )
      return []
    }
  }
  const files = (await Promise.all(paths.map(filesOf))).flat()
  if (problems.length > 0) throw new QuerentError('bad-arguments', problems.join('\n'))
  return files
}

/**
 * Leaves out what was only a proposal when a layer of Querent was exported, unless something accepted is made of it:
 * writing it to a file would accept it. Models stay, since other items name their dimensions.
 */
export const withoutProposals = (imported: ImportedLayer): ImportedLayer => {
  const { models, metrics, segments } = imported.layer
  const isAccepted = ({ status }: { readonly status: string }): boolean => status === 'accepted'
  const kept = new Set(metrics.filter(isAccepted))
  for (const metric of kept)
    for (const name of referencesOf(metric)) {
      const part = metrics.find(one => one.name === name)
      if (part) kept.add(part)
    }
  const [leftMetrics, leftSegments] = [
    metrics.filter(one => !kept.has(one)),
    segments.filter(one => !isAccepted(one)),
  ]
  const left = new Set([...leftMetrics, ...leftSegments].map(({ name }) => name))
  const why =
    'It was a proposal that nobody had accepted. Accept it with `semantic review`, where it is proposed again.'
  const skip = (kind: string, items: readonly { readonly name: string }[]): readonly SkippedItem[] =>
    items.map(({ name }) => ({ kind, name, why }))
  return {
    layer: {
      models,
      metrics: [...kept],
      segments: segments.filter(isAccepted),
    },
    translated: imported.translated.filter(
      ({ kind, name }) => !((kind === 'metric' || kind === 'segment') && left.has(name)),
    ),
    skipped: [...imported.skipped, ...skip('metric', leftMetrics), ...skip('segment', leftSegments)],
  }
}
