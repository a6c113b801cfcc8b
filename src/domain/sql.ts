import { SqlError } from './errors.ts'

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

declare const guarded: unique symbol

/**
 * One read-only statement that the guard has read as a tree. Executors accept nothing else, and the text in
 * `sql` is exactly the text that was checked (threat T1).
 */
export interface GuardedSql {
  readonly sql: string
  readonly dialect: ParseDialect
  readonly [guarded]: true
}

/** What the guard says of a statement. `reason` names the offending part in words that a person understands. */
export type GuardVerdict = { verdict: 'allow'; guarded: GuardedSql } | { verdict: 'refuse'; reason: string }

/** The guard as its callers know it: text in, verdict out; never throws. */
export type Guard = (sql: string, dialect: ParseDialect) => GuardVerdict

/** Puts the brand on. Only `src/databases/guard` may import this; the architecture test holds it to that. */
export const brandGuardedSql = (sql: string, dialect: ParseDialect): GuardedSql =>
  Object.freeze({ sql, dialect }) as GuardedSql

/** What a statement would read, by the plan of its database; nothing is measured. */
export interface QueryEstimate {
  /** Rows that would be looked at, those that are looked at again counted again. Null where the plan does not tell. */
  readonly rows: number | null
  /** The table that most of them are of; null where the plan names none. */
  readonly table: string | null
}

/** Asks a database what a statement would read, without running it. Rejects with `SqlError` where it does not plan. */
export type EstimateQuery = (
  sql: GuardedSql,
  options?: { readonly signal?: AbortSignal },
) => Promise<QueryEstimate>

/** A statement that was not run, because it would read more than is read without being told to. */
export class ExpensiveQueryError extends SqlError {
  readonly estimate: QueryEstimate
  readonly limit: number

  constructor(estimate: QueryEstimate & { readonly rows: number }, limit: number) {
    super('too-heavy', `${formatQueryCost(estimate)} More than ${formatRowCount(limit)} need your go-ahead.`)
    this.estimate = estimate
    this.limit = limit
  }
}

/** “This reads about 320 million rows, most of them of events.” */
const formatQueryCost = ({ rows, table }: QueryEstimate & { readonly rows: number }): string =>
  `This reads about ${formatRowCount(rows)}${table === null ? '' : `, most of them of ${table}`}.`

/** A number of rows in two digits: nobody knows it better. */
export const formatRowCount = (rows: number): string => {
  const [unit, word] =
    rows >= 1e12
      ? [1e12, ' trillion']
      : rows >= 1e9
        ? [1e9, ' billion']
        : rows >= 1e6
          ? [1e6, ' million']
          : [1, '']
  const short = Number((rows / unit).toPrecision(word === '' ? 2 : rows / unit >= 100 ? 3 : 2))
  return `${short.toLocaleString('en-US')}${word} ${short === 1 && word === '' ? 'row' : 'rows'}`
}
