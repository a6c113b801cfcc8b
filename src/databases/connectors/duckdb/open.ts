import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { csvReader } from './csv.ts'
import { type ChildTask, type DataFile, type DataSource, quoteText } from './source.ts'

export interface OpenedSource {
  readonly connection: DuckDBConnection
  /** Which of DuckDB's databases holds the tables. */
  readonly database: string
}

/** CSV and JSON files up to this size are read whole to detect types. Of larger ones this many rows are read. */
const wholeFileBytes = 32 * 1024 * 1024

const sampledRows = 200_000

/**
 * No extension is loaded or fetched, and a data file is never run as a program. Past the limit of memory a statement
 * fails: nothing is spilled to disk.
 */
const settings = ({ threads, memoryBytes }: Limits): Record<string, string> => ({
  threads: String(threads),
  memory_limit: `${memoryBytes}B`,
  temp_directory: '',
  max_temp_directory_size: '0B',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
  allow_persistent_secrets: 'false',
})

type Limits = Pick<ChildTask, 'threads' | 'memoryBytes'>

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const sampleOf = ({ bytes }: DataFile): number => (bytes <= wholeFileBytes ? -1 : sampledRows)

/** The query that reads a file whole. */
const readerOf = async (connection: DuckDBConnection, file: DataFile): Promise<string> => {
  switch (file.format) {
    case 'csv':
      return csvReader(connection, file.path, sampleOf(file))
    case 'parquet':
      return `from read_parquet(${quoteText(file.path)})`
    case 'json':
      return `from read_json(${quoteText(file.path)}, sample_size = ${sampleOf(file)})`
    default: {
      const never: never = file.format
      return never
    }
  }
}

const makeView = async (connection: DuckDBConnection, file: DataFile): Promise<void> => {
  try {
    await connection.run(`create view ${identifier(file.table)} as ${await readerOf(connection, file)}`)
  } catch (error) {
    throw new Error(`${file.path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** After this no other file can be reached, and these settings cannot be undone. */
const lock = async (connection: DuckDBConnection): Promise<void> => {
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
}

const openInstance = async (
  path: string,
  options: Record<string, string>,
  timeZone: string,
): Promise<DuckDBConnection> => {
  const instance = await DuckDBInstance.create(path, options)
  const connection = await instance.connect()
  // SET alone would not apply to all connections of the instance.
  await connection.run(`set global timezone = ${quoteText(timeZone)}`)
  return connection
}

/**
 * Opens a source for reading, inside a child: a database file read-only, or data files as views in an in-memory
 * database. Then everything else is locked
 * (https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview).
 */
export const openSource = async (
  source: DataSource,
  task: Omit<ChildTask, 'path'>,
): Promise<OpenedSource> => {
  if (source.kind === 'database') {
    const options = { ...settings(task), access_mode: 'READ_ONLY' }
    const connection = await openInstance(source.path, options, task.timeZone)
    await lock(connection)
    return { connection, database: await currentDatabase(connection) }
  }
  const connection = await openInstance(':memory:', settings(task), task.timeZone)
  // Views read their files when they are queried, so the files stay readable. Nothing can write them: see
  // read-rows.ts.
  await connection.run(`set allowed_paths = [${source.files.map(file => quoteText(file.path)).join(', ')}]`)
  for (const file of source.files) await makeView(connection, file)
  await lock(connection)
  return { connection, database: await currentDatabase(connection) }
}

const currentDatabase = async (connection: DuckDBConnection): Promise<string> =>
  String((await connection.runAndReadAll('select current_database()')).getRows()[0]?.[0])
