import type { Dialect } from '../../../../src/core/dialect.ts'
import { duckdbNotes } from './duckdb.ts'
import { mysqlNotes } from './mysql.ts'
import { postgresNotes } from './postgres.ts'
import { sqliteNotes } from './sqlite.ts'

/** Quoting, dates, case and division of each database that Querent runs, in words for a prompt. */
export const dialectNotes: Readonly<Record<Dialect, string>> = {
  postgres: postgresNotes,
  sqlite: sqliteNotes,
  mysql: mysqlNotes,
  duckdb: duckdbNotes,
}
