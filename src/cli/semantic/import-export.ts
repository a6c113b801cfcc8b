import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import pc from 'picocolors'
import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import { readFileIfThere } from '../../config/edit-files.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { KnowledgeProblem } from '../../domain/knowledge.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { buildPlannedLayer } from '../../semantic-layer/build/plan-layer.ts'
import { exportOssie } from '../../semantic-layer/export/export-ossie.ts'
import { didYouMean } from '../../semantic-layer/files/nearest-name.ts'
import { parseLayerFile } from '../../semantic-layer/files/parse-layer-file.ts'
import { layerFileText } from '../../semantic-layer/files/write-layer-file.ts'
import {
  type ImportFormat,
  importFormats,
  importLayer,
  readSourceFiles,
  withoutProposals,
} from '../../semantic-layer/import/import-layer.ts'
import type { ImportedLayer } from '../../semantic-layer/import/imported-layer.ts'
import type { CommandContext } from '../command-context.ts'
import { unwritableFile } from '../copy/phrases.ts'
import { transferCopy as copy } from '../copy/semantic.ts'
import { changedLines, writeJson } from '../terminal.ts'
import { formatProblem, layerFileOf, readLayer, type SemanticOptions } from './semantic.ts'

/**
 * `semantic import`: writes the layer of another tool to a file of its own, and lists what was not translated. A file
 * that says something else already is only overwritten with `--force`. Exit status 1 if it was not written, or if
 * something in it does not fit the database.
 */
export const runSemanticImport = async (
  options: SemanticOptions,
  context: CommandContext,
): Promise<number> => {
  const { config, resources, terminal, signal } = context
  const format = readFormat(options.format ?? '', importFormats)
  const paths = (options.paths ?? []).map(path => resolve(terminal.folder, path))
  const imported = withoutProposals(importLayer(format, await readSourceFiles(format, paths)))
  const database = await resources.openDatabase(options.database ?? config.defaultDatabase ?? sampleCompany, {
    signal,
  })
  const { name, catalog } = database
  const path =
    options.out === undefined
      ? layerFileOf(config.semanticFolder, name, `-${format}`)
      : resolve(terminal.folder, options.out)
  const text = layerFileText(imported.layer, { database: name, catalog, comment: copy.comment(format) })
  const isUsed = dirname(path) === config.semanticFolder && /\.ya?ml$/.test(path)
  const file = isUsed
    ? `${basename(config.semanticFolder)}/${basename(path)}`
    : relative(terminal.folder, path)
  const { problems } = await buildPlannedLayer(
    { files: [parseLayerFile(text, { file })], terms: [] },
    database,
    { today: dayOf(context.now, config.timeZone), timeZone: config.timeZone, signal },
  )
  const before = await readFileIfThere(path)
  const status = before === null ? 'new' : before === text ? 'unchanged' : 'changed'
  const isWritten =
    imported.translated.length > 0 && (status === 'new' || (status === 'changed' && options.force === true))
  if (isWritten) await write(path, text)
  context.clearProgress()
  const changes = before === null || before === text ? [] : changedLines(before, text).lines
  const report: ImportReport = { format, imported, status, isWritten, isUsed, path, changes, problems }
  if (options.json) writeJson(terminal.out, reportToJson(report))
  else terminal.out.write(`${formatReport(report)}\n`)
  return problems.length > 0 || (!isWritten && status !== 'unchanged') ? 1 : 0
}

interface ImportReport {
  readonly format: ImportFormat
  readonly imported: ImportedLayer
  /** How the file compares with what was there. */
  readonly status: 'new' | 'unchanged' | 'changed'
  readonly isWritten: boolean
  /** Whether it lies where Querent reads it. */
  readonly isUsed: boolean
  readonly path: string
  readonly changes: readonly string[]
  /** What does not fit the database. */
  readonly problems: readonly KnowledgeProblem[]
}

const reportToJson = ({ imported, status, isWritten, path, problems }: ImportReport) => ({
  ...{ file: path, status, written: isWritten },
  translated: imported.translated,
  skipped: imported.skipped,
  problems: problems.map(({ at, message }) => ({ file: at.file, line: at.line, message })),
})

const formatReport = (report: ImportReport): string => {
  const { format, imported, status, isWritten, isUsed, path, changes, problems } = report
  const { layer, translated, skipped } = imported
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
  const differing = translated.flatMap(({ kind, name, note }) =>
    note === null ? [] : [copy.item(kind, name, note)],
  )
  const outcome =
    translated.length === 0
      ? copy.nothing
      : status === 'unchanged'
        ? copy.unchanged(path)
        : isWritten
          ? copy.written(path, isUsed)
          : copy.notWritten(path)
  return [
    copy.translated(format, translated.length, translated.length + skipped.length),
    copy.made(layer.models.length, layer.metrics.length, layer.segments.length),
    ...section(
      copy.skippedTitle,
      skipped.map(({ kind, name, why }) => copy.item(kind, name, why)),
    ),
    ...section(copy.differingTitle, differing),
    ...section(copy.changesTitle, changes),
    ...section(copy.problemsTitle, problems.map(formatProblem)),
    '',
    outcome,
  ].join('\n')
}

/** `semantic export`: the layer for other tools. What they will not see goes to standard error. */
export const runSemanticExport = async (
  options: SemanticOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal } = context
  readFormat(options.format ?? '', ['ossie'])
  const { database, layer } = await readLayer(options, context)
  const { text, hidden } = exportOssie(layer, database)
  const file = options.out === undefined ? null : resolve(terminal.folder, options.out)
  if (file !== null) await write(file, text)
  context.clearProgress()
  if (options.json) {
    writeJson(terminal.out, { ...(file === null ? { text } : { file }), hidden })
    return 0
  }
  const lines = [
    ...(file === null
      ? []
      : [copy.exported(layer.models.length, layer.metrics.length - countHidden(hidden), file)]),
    ...(hidden.length === 0 ? [] : [copy.hiddenTitle]),
    ...hidden.map(({ kind, name, why }) => `  ${copy.item(kind, name, why)}`),
  ]
  if (file === null) terminal.out.write(text)
  if (lines.length > 0) (file === null ? terminal.err : terminal.out).write(`${pc.dim(lines.join('\n'))}\n`)
  return 0
}

const countHidden = (hidden: readonly { readonly kind: string }[]): number =>
  hidden.filter(({ kind }) => kind === 'metric').length

const readFormat = <Format extends string>(given: string, known: readonly Format[]): Format => {
  const format = known.find(one => one === given.toLowerCase())
  if (format !== undefined) return format
  throw new QuerentError('bad-arguments', copy.unknownFormat(given, known, didYouMean(given, known)))
}

const write = async (path: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch (cause) {
    throw new QuerentError('bad-arguments', unwritableFile(path), { cause })
  }
}
