import { constants, DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import type { TrickServer } from './run-tricks.ts'

type ReadsOf = NonNullable<TrickServer['readsOf']>

/** What SQLite's authorizer is asked about when a statement is prepared. */
export const sqliteReads: ReadsOf = async (address, sql) => {
  const path = address.slice('sqlite:'.length)
  const database = new DatabaseSync(path, { readOnly: true, enableDoubleQuotedStringLiterals: true })
  const reads: string[] = []
  database.setAuthorizer((code, table, column) => {
    if (code === constants.SQLITE_READ) reads.push(`${table}.${column}`)
    return constants.SQLITE_OK
  })
  try {
    database.prepare(sql)
    return reads
  } catch {
    return null
  } finally {
    database.close()
  }
}

/** A part of a bound plan; scans have the names of all columns of a table, and the places of those that are bound. */
interface Scan {
  readonly names: readonly string[]
  readonly function_data: { readonly schema?: string; readonly table?: string }
  readonly column_indexes: readonly { readonly index: number }[]
}

const isScan = (node: object): node is Scan =>
  'function_data' in node && 'names' in node && 'column_indexes' in node

const scansIn = (value: unknown): readonly Scan[] => {
  if (typeof value !== 'object' || value === null) return []
  return [...(isScan(value) ? [value] : []), ...Object.values(value).flatMap(scansIn)]
}

/** What DuckDB binds: its logical plan before the optimizer drops what is not needed. */
export const duckdbReads: ReadsOf = async (address, sql) => {
  const instance = await DuckDBInstance.create(address.slice('duckdb:'.length), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(
      `SELECT json_serialize_plan('${sql.replaceAll("'", "''")}', skip_empty := true, skip_null := true, optimize := false)`,
    )
    const plan = JSON.parse(String(reader.getRows()[0]?.[0])) as { error: boolean; plans?: unknown }
    if (plan.error) return null
    return scansIn(plan.plans).flatMap(({ names, function_data: { schema, table }, column_indexes }) =>
      column_indexes.map(({ index }) => {
        const title = schema === 'main' ? table : `${schema}.${table}`
        return `${title}.${names[index] ?? 'rowid'}`
      }),
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
