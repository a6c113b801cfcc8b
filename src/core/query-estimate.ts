import type { GuardedSql } from './guarded-sql.ts'
import { SqlError } from './sql-error.ts'

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
    super(
      'too-heavy',
      `${formatQueryCost(estimate)} More than ${formatRowCount(limit)} are not read unless somebody says so.`,
    )
    this.estimate = estimate
    this.limit = limit
  }
}

/** “This reads about 320 million rows, most of them of events.” */
export const formatQueryCost = ({ rows, table }: QueryEstimate & { readonly rows: number }): string =>
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
