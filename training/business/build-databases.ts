import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'

/** One value of a generated row; a boolean of DuckDB is written as text. */
type Value = string | number | null

/** An invented database: how to make it, and the moment at which its questions are asked. */
export interface BusinessDatabase {
  readonly engine: 'sqlite' | 'duckdb'
  readonly asOf: string
  readonly ddl: readonly string[]
  readonly rows: () => ReadonlyMap<string, readonly (readonly Value[])[]>
}

/** The folders of fixtures/business that hold a database. */
export const databaseNames = (fixtures: string): readonly string[] =>
  readdirSync(fixtures, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)

export const loadDatabase = async (fixtures: string, name: string): Promise<BusinessDatabase> => {
  const loaded: { readonly database: BusinessDatabase } = await import(join(fixtures, name, 'database.ts'))
  return loaded.database
}

/** Writes a database into a folder as `NAME.sqlite` or `NAME.duckdb`. */
export const buildDatabase = async (
  folder: string,
  name: string,
  database: BusinessDatabase,
): Promise<void> => {
  const file = join(folder, `${name}.${database.engine}`)
  await (database.engine === 'sqlite' ? writeSqlite(file, database) : writeDuckdb(file, database))
}

/**
 * Writes a folder as a firm would have it: a querent.yml that names the databases in `databases`, and the semantic layer
 * that was accepted for each of them.
 */
export const writeSettings = (
  folder: string,
  fixtures: string,
  databases: ReadonlyMap<string, { readonly engine: BusinessDatabase['engine']; readonly folder: string }>,
): void => {
  mkdirSync(join(folder, 'semantic'), { recursive: true })
  for (const name of databases.keys())
    copyFileSync(join(fixtures, name, 'semantic.yml'), join(folder, 'semantic', `${name}.yml`))
  const urls = [...databases].map(([name, { engine, folder: where }]) => [
    name,
    { url: `${engine}:${join(where, `${name}.${engine}`)}` },
  ])
  // JSON is YAML.
  writeFileSync(join(folder, 'querent.yml'), JSON.stringify({ databases: Object.fromEntries(urls) }))
}

const writeSqlite = async (file: string, { ddl, rows }: BusinessDatabase): Promise<void> => {
  const database = new DatabaseSync(file)
  for (const statement of ddl) database.exec(statement)
  database.exec('BEGIN')
  for (const [table, list] of rows()) {
    const [first] = list
    if (first === undefined) continue
    const insert = database.prepare(`INSERT INTO "${table}" VALUES (${first.map(() => '?').join(', ')})`)
    for (const row of list) insert.run(...row)
  }
  database.exec('COMMIT')
  database.close()
}

/** Rows of one statement. */
const BATCH = 500

/** Small tables are written row by row: DuckDB refuses keys to rows of the same statement. */
const SMALL = 300

const writeDuckdb = async (file: string, { ddl, rows }: BusinessDatabase): Promise<void> => {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (const statement of ddl) await connection.run(statement)
  for (const [table, list] of rows()) {
    const size = list.length < SMALL ? 1 : BATCH
    for (let from = 0; from < list.length; from += size) {
      const values = list.slice(from, from + size).map(row => `(${row.map(literal).join(', ')})`)
      await connection.run(`INSERT INTO "${table}" VALUES ${values.join(', ')}`)
    }
  }
  connection.closeSync()
  instance.closeSync()
}

const literal = (value: Value): string => {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
