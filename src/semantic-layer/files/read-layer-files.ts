import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { LayerFile } from './layer-file.ts'
import { didYouMean } from './nearest-name.ts'
import { parseLayerFile } from './parse-layer-file.ts'

/** Files of the semantic layer as they are on disk. `stamp` changes when any of them does. */
export interface LayerFiles {
  readonly stamp: string
  /**
   * Those about a database, with their problems. `known` are the names of all databases: a file about another one is a
   * problem, since nobody would notice that it is not used.
   */
  readonly read: (database: string, known: readonly string[]) => Promise<readonly LayerFile[]>
}

/** Finds every `*.yml` of the folder and `more` files. A folder that is not there has none. */
export const findLayerFiles = async (folder: string, more: readonly string[] = []): Promise<LayerFiles> => {
  const sources = [
    ...more.map(path => ({ path, file: path })),
    ...(await listYaml(folder)).map(name => ({
      path: join(folder, name),
      file: `${basename(folder)}/${name}`,
    })),
  ]
  const stamps = await Promise.all(
    sources.map(async ({ path }) => {
      const { mtimeMs, size } = await stat(path)
      return [path, mtimeMs, size]
    }),
  )
  return {
    stamp: JSON.stringify(stamps),
    read: async (database, known) => {
      const files = await Promise.all(
        sources.map(async ({ path, file }) => parseLayerFile(await readFile(path, 'utf8'), { file })),
      )
      return files.flatMap(file => {
        if (file.databases === null || file.databases.includes(database)) return [file]
        const strange = file.databases.find(name => !known.includes(name) && !name.includes(':'))
        return strange === undefined ? [] : [unknownDatabase(file, strange, [database, ...known])]
      })
    },
  }
}

const unknownDatabase = ({ at }: LayerFile, name: string, known: readonly string[]): LayerFile => ({
  ...{ databases: null, at, models: [], metrics: [], segments: [], exclude: [], rejected: [] },
  problems: [{ at, message: `querent.yml has no database ${name}${didYouMean(name, known)}` }],
})

const listYaml = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(folder)).filter(name => /\.ya?ml$/.test(name)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
