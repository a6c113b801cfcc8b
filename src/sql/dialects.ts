import { bigquery } from '../databases/connectors/bigquery/dialect.ts'
import { clickhouse } from '../databases/connectors/clickhouse/dialect.ts'
import { duckdb } from '../databases/connectors/duckdb/dialect.ts'
import { mysql } from '../databases/connectors/mysql/dialect.ts'
import { parseOnlyDialects } from '../databases/connectors/parse-only/dialects.ts'
import { postgres } from '../databases/connectors/postgres/dialect.ts'
import { redshift } from '../databases/connectors/redshift/dialect.ts'
import { snowflake } from '../databases/connectors/snowflake/dialect.ts'
import { spark } from '../databases/connectors/spark/dialect.ts'
import { sqlite } from '../databases/connectors/sqlite/dialect.ts'
import { trino } from '../databases/connectors/trino/dialect.ts'
import type { DatabaseDialect, SqlDialect } from './sql-dialect.ts'

/** The databases that Querent can ask. To add one, write its folder in `src/databases/connectors` and name it here. */
export const databaseDialects: readonly DatabaseDialect[] = [
  postgres,
  sqlite,
  mysql,
  duckdb,
  trino,
  spark,
  clickhouse,
  redshift,
  snowflake,
  bigquery,
]

/** The dialect of statements that come without one. */
export const defaultDialect = postgres.name

const databasesByName: ReadonlyMap<string, DatabaseDialect> = new Map(
  databaseDialects.map(dialect => [dialect.name, dialect]),
)

const byName: ReadonlyMap<string, SqlDialect> = new Map(
  [...databaseDialects, ...parseOnlyDialects].map(dialect => [dialect.name, dialect]),
)

/** The names of all dialects that the guard can check, those with a connector first. */
export const dialectNames: readonly string[] = [...byName.keys()]

/** True for the name of a dialect that the guard can check. */
export const isDialect = (name: string): boolean => byName.has(name)

/** True for the name of a dialect that has a connector. */
export const isDatabaseDialect = (name: string): boolean => databasesByName.has(name)

/** What the parsers and the guard know about a dialect. Throws for a name that `isDialect` denies. */
export const dialectNamed = (name: string): SqlDialect => {
  const dialect = byName.get(name)
  if (dialect === undefined)
    throw new Error(`There is no SQL dialect called ${name}. Known are ${dialectNames.join(', ')}.`)
  return dialect
}

/** Everything about a dialect that has a connector. Throws for a name that `isDatabaseDialect` denies. */
export const databaseDialect = (name: string): DatabaseDialect => {
  const dialect = databasesByName.get(name)
  if (dialect === undefined)
    throw new Error(
      `There is no connector for ${name}. There is one for ${[...databasesByName.keys()].join(', ')}.`,
    )
  return dialect
}
