import type { Catalog } from '../../domain/catalog.ts'
import { SqlError, type SqlErrorClass } from '../../domain/errors.ts'
import { type EstimateQuery, ExpensiveQueryError, type GuardedSql } from '../../domain/sql.ts'

/**
 * Why a statement was let through without anybody knowing what it reads: the database gave no plan, or the plan has no
 * numbers.
 */
export type UnknownCost =
  | { readonly plan: 'failed'; readonly errorClass: SqlErrorClass }
  | { readonly plan: 'without-numbers' }

/** Rejects with `ExpensiveQueryError` where a statement would read too much to be run unasked. */
export type CheckCost = (sql: GuardedSql, options?: { readonly signal?: AbortSignal }) => Promise<void>

/**
 * A database this much smaller than the limit is not asked for plans: only products of whole tables could be too heavy
 * there, and those the time limit ends.
 */
const smallShareOfLimit = 1 / 100

/**
 * Makes it. A plan that cannot be had is no reason not to run: what is wrong with the statement is told when it runs, and
 * the caps stand behind. That nobody knew is told, so that an operator sees a gate that is open.
 */
export const makeCheckCost = (deps: {
  readonly estimate: EstimateQuery
  readonly catalog: () => Pick<Catalog, 'tables'>
  /** Rows that a statement may read unasked. */
  readonly limit: number
  /** Told of a statement that is run although nobody knows what it reads. */
  readonly onUnknown?: (sql: GuardedSql, why: UnknownCost) => void
  /** Told of a statement that was not run, and why. */
  readonly onHeavy?: (sql: GuardedSql, error: ExpensiveQueryError) => void
}): CheckCost => {
  const { estimate, limit } = deps
  return async (sql, options = {}) => {
    if (isSmallDatabase(deps.catalog(), limit * smallShareOfLimit)) return
    const estimated = await estimate(sql, options).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      if (!(error instanceof SqlError)) throw error
      const { errorClass } = error
      // Nothing more may be read: the run would be refused for it too.
      if (errorClass === 'over-budget') throw error
      if (serverErrors.has(errorClass)) deps.onUnknown?.(sql, { plan: 'failed', errorClass })
      return null
    })
    if (estimated === null) return
    if (estimated.rows === null) {
      deps.onUnknown?.(sql, { plan: 'without-numbers' })
      return
    }
    if (estimated.rows <= limit) return
    const heavy = new ExpensiveQueryError({ ...estimated, rows: estimated.rows }, limit)
    deps.onHeavy?.(sql, heavy)
    throw heavy
  }
}

/** Errors that are no fault of the statement: of those the run itself tells. */
const serverErrors: ReadonlySet<SqlErrorClass> = new Set(['timeout', 'connection', 'permission', 'other'])

/** False where the size of a table is not known. */
const isSmallDatabase = ({ tables }: Pick<Catalog, 'tables'>, most: number): boolean => {
  let sum = 0
  for (const { type, rowCount } of tables) {
    if (type === 'view') continue
    if (rowCount === null) return false
    sum += rowCount
  }
  return sum <= most
}
