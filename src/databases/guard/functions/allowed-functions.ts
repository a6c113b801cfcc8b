import type { ParseDialect } from '../../../core/dialect.ts'
import { duckdbFunctions } from './duckdb-functions.ts'
import { mysqlFunctions } from './mysql-functions.ts'
import { otherFunctions } from './other-functions.ts'
import { postgresFunctions } from './postgres-functions.ts'
import { sqliteFunctions } from './sqlite-functions.ts'

/** What may be called in each dialect. Whatever is not here is refused, whether or not it exists. */
export const allowedFunctions: Readonly<Record<ParseDialect, ReadonlySet<string>>> = {
  postgres: postgresFunctions,
  sqlite: sqliteFunctions,
  mysql: mysqlFunctions,
  duckdb: duckdbFunctions,
  snowflake: otherFunctions,
  bigquery: otherFunctions,
  tsql: otherFunctions,
  clickhouse: otherFunctions,
  trino: otherFunctions,
}
