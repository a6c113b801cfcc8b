/** SQL dialects that Querent can execute. The guard reads more of them than the connectors can run. */
export type Dialect = 'postgres' | 'sqlite' | 'mysql' | 'duckdb'

/** Every dialect the guard can parse, runnable or not. */
export type ParseDialect = Dialect | 'snowflake' | 'bigquery' | 'tsql' | 'clickhouse' | 'trino'

export const parseDialects = [
  'postgres',
  'sqlite',
  'mysql',
  'duckdb',
  'snowflake',
  'bigquery',
  'tsql',
  'clickhouse',
  'trino',
] as const satisfies readonly ParseDialect[]
