import { access, constants, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { QuerentError } from '../../../domain/errors.ts'
import { refuseSpecialFile } from '../file-kind.ts'

const formats: ReadonlyMap<string, DataFile['format']> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.parquet', 'parquet'],
  ['.json', 'json'],
  ['.jsonl', 'json'],
  ['.ndjson', 'json'],
])

/** Whether a file in a folder is one of its tables, by its name. */
export const isDataFile = (name: string): boolean =>
  !name.startsWith('.') && formats.has(extname(name).toLowerCase())

const readable = 'CSV, TSV, Parquet and JSON files (.csv, .tsv, .parquet, .json, .jsonl, .ndjson)'

/** A folder with more files is not a folder of tables, and every process would open all of them. */
const mostFiles = 1000

const unknown = (message: string, cause?: unknown): QuerentError =>
  new QuerentError('unknown-database', message, { cause })

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

const refuseToRead = (path: string, error: unknown): QuerentError => {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? unknown(
        `There is no file or folder ${path}. Check the path; a relative one starts at the folder the command was typed in, and in querent.yml at that file.`,
        error,
      )
    : new QuerentError(
        'database-unreachable',
        `${path} cannot be read (${code}). Check that the user this runs as can read it.`,
        { cause: error },
      )
}

/** DuckDB takes these for patterns that match other files, and cannot escape them. */
const refusePatterns = (path: string): void => {
  if (/[*?[\]]/.test(path))
    throw unknown(`DuckDB takes * ? [ and ] in ${path} for a pattern. Rename it without them.`)
}

/** A name with a dot would mean a file or a schema in a statement, and the guard refuses files. */
const tableOf = (name: string): string => name.replaceAll('.', '_')

const toDataFile = async (path: string): Promise<DataFile | null> => {
  const extension = extname(path).toLowerCase()
  const format = formats.get(extension)
  if (format === undefined) return null
  refusePatterns(path)
  try {
    await access(path, constants.R_OK)
    const status = await stat(path)
    refuseSpecialFile(path, status)
    const { size } = status
    if (size === 0) throw unknown(`${path} is empty. Remove it from the folder, or fill it.`)
    return { path, table: tableOf(basename(path).slice(0, -extension.length)), format, bytes: size }
  } catch (error) {
    throw error instanceof QuerentError ? error : refuseToRead(path, error)
  }
}

const readFolder = async (folder: string): Promise<DataSource> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter(entry => !entry.isDirectory() && isDataFile(entry.name))
    .map(entry => entry.name)
    .sort()
  if (names.length === 0)
    throw unknown(
      `There is nothing to query in the folder ${folder}: no ${readable}. A SQLite or DuckDB database is named by the path of its file.`,
    )
  if (names.length > mostFiles)
    throw unknown(
      `The folder ${folder} has ${names.length} files of data; at most ${mostFiles} can be queried.`,
    )
  const found = await Promise.all(names.map(name => toDataFile(join(folder, name))))
  const files = found.filter(file => file !== null)
  const byName = Map.groupBy(files, file => file.table.toLowerCase())
  for (const [first, second] of byName.values())
    if (first !== undefined && second !== undefined)
      throw unknown(
        `${first.path} and ${second.path} would both be the table ${first.table}. Rename one of them.`,
      )
  return { kind: 'files', files }
}

const isDuckdbFile = async (path: string): Promise<boolean> => {
  const handle = await open(path, 'r')
  try {
    // A checksum of eight bytes, and then the letters (https://duckdb.org/docs/stable/internals/storage).
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0)
    return buffer.toString('latin1', 8, Math.max(8, bytesRead)) === 'DUCK'
  } finally {
    await handle.close()
  }
}

const readDatabase = async (path: string, bytes: number): Promise<DataSource> => {
  if (await isDuckdbFile(path)) return { kind: 'database', path, bytes }
  throw unknown(`${path} is neither a DuckDB database nor one of the files that can be queried: ${readable}.`)
}

/**
 * What can be read at a path: a data file, a folder of data files (each a table with the file's name), or a DuckDB
 * database. Rejects with `QuerentError`: `unknown-database` if nothing there can be queried,
 * `database-unreachable` if it cannot be read.
 */
export const findSource = async (named: string): Promise<DataSource> => {
  try {
    const path = await realpath(named)
    const status = await stat(path)
    if (status.isDirectory()) return await readFolder(path)
    refuseSpecialFile(named, status)
    // The name as given: a link may point to a file with another name.
    const file = await toDataFile(named)
    return file === null ? await readDatabase(path, status.size) : { kind: 'files', files: [file] }
  } catch (error) {
    throw error instanceof QuerentError ? error : refuseToRead(named, error)
  }
}

/** One data file that is queried like a table. */
export interface DataFile {
  /** Absolute path. */
  readonly path: string
  /** The file's name without its ending, with underscores for its dots. */
  readonly table: string
  readonly format: 'csv' | 'parquet' | 'json'
  readonly bytes: number
}

/** What DuckDB reads: a database file, or data files. */
export type DataSource =
  | { readonly kind: 'database'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'files'; readonly files: readonly DataFile[] }

/** Changes whenever a data file is added, removed or written. */
export const sourceVersion = async (source: DataSource): Promise<string> => {
  const paths = source.kind === 'database' ? [source.path] : source.files.map(({ path }) => path)
  const stamps = await Promise.all(
    paths.map(async path => {
      const { size, mtimeNs, ino } = await stat(path, { bigint: true })
      return `${path} ${size} ${mtimeNs} ${ino}`
    }),
  )
  return stamps.join('\n')
}

/** The task of a child, its first argument. */
export interface ChildTask {
  /** Absolute path of a database file, a data file or a folder of them. */
  readonly path: string
  readonly threads: number
  /** DuckDB's own limit, in bytes. */
  readonly memoryBytes: number
  /** IANA name. */
  readonly timeZone: string
}

/** The prefix for plans: DuckDB's drawn plans break long names into lines. */
export const explainPrefix = 'explain (format json)\n'

/** A text in apostrophes; a backslash has no meaning in DuckDB. */
export const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`
