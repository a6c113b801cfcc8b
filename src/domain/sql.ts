import { SqlError } from './errors.ts'

/** The name of a dialect that has a connector. `isDatabaseDialect` in src/sql/dialects.ts checks one. */
export type Dialect = string

/** The name of a dialect that the guard can parse. `isDialect` in src/sql/dialects.ts checks one. */
export type ParseDialect = string

declare const guarded: unique symbol

/**
 * One read-only statement that the guard has parsed. Executors accept nothing else, and `sql` is exactly the text that
 * was checked.
 */
export interface GuardedSql {
  readonly sql: string
  readonly dialect: ParseDialect
  readonly [guarded]: true
}

/** The guard's verdict. `reason` names the offending part in plain words. */
export type GuardVerdict = { verdict: 'allow'; guarded: GuardedSql } | { verdict: 'refuse'; reason: string }

/** The guard: SQL text in, verdict out; never throws. */
export type Guard = (sql: string, dialect: ParseDialect) => GuardVerdict

/** Adds the brand. Only `src/databases/guard` may import this; the architecture test enforces it. */
export const brandGuardedSql = (sql: string, dialect: ParseDialect): GuardedSql =>
  Object.freeze({ sql, dialect }) as GuardedSql

/** What a statement would read according to the database's plan; nothing is measured. */
export interface QueryEstimate {
  /** Rows that would be scanned, counting repeated scans. Null if the plan does not say. */
  readonly rows: number | null
  /** The table with most of them; null if the plan names none. */
  readonly table: string | null
  /** True if the plan reads other tables too and does not say how much of them. */
  readonly isLowerBound?: true
  /** Bytes that would be read, and dollars if a price is known; left out where the plan knows rows alone. */
  readonly planned?: { readonly bytes: number; readonly dollars: number | null }
}

/** Estimates what a statement would read without running it. Rejects with `SqlError` if it does not plan. */
export type EstimateQuery = (
  sql: GuardedSql,
  options?: { readonly signal?: AbortSignal },
) => Promise<QueryEstimate>

/** A statement that was not run because it would read more than allowed without confirmation. */
export class ExpensiveQueryError extends SqlError {
  readonly estimate: QueryEstimate
  readonly limit: number

  constructor(estimate: QueryEstimate, limit: number) {
    super('too-heavy', `${formatQueryCost(estimate)} ${ruleOf(estimate, limit)}`)
    this.estimate = estimate
    this.limit = limit
  }
}

/** “This reads about 320 million rows, most of them of events.” */
const formatQueryCost = ({ rows, table, planned }: QueryEstimate): string =>
  planned !== undefined
    ? `This reads about ${formatBytes(planned.bytes)}${planned.dollars === null ? '' : ` and costs ${formatDollars(planned.dollars)}`}${table === null ? '' : `, most of it of ${table}`}.`
    : rows === null
      ? `This reads ${table ?? 'a table'}, and the database does not know how large that is.`
      : `This reads about ${formatRowCount(rows)}${table === null ? '' : `, most of them of ${table}`}.`

const ruleOf = ({ rows }: QueryEstimate, limit: number): string =>
  rows === null
    ? `More than ${formatRowCount(limit)} would need your go-ahead.`
    : `More than ${formatRowCount(limit)} need your go-ahead.`

/** A row count rounded to two digits, because it is only an estimate. */
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

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** `1.2 TB`: two digits, because it is only an estimate. */
const formatBytes = (bytes: number): string => {
  const step = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${Number((bytes / 1000 ** step).toPrecision(bytes / 1000 ** step >= 100 ? 3 : 2))} ${byteUnits[step]}`
}

const formatDollars = (dollars: number): string =>
  dollars < 0.01
    ? 'less than $0.01'
    : `about $${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
