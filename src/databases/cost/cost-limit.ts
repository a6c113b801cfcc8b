import type { Catalog } from '../../domain/catalog.ts'
import { SqlError, type SqlErrorClass } from '../../domain/errors.ts'
import { type EstimateQuery, ExpensiveQueryError, type GuardedSql } from '../../domain/sql.ts'

/** Why the cost of a statement is not known: the database gave no plan, or the plan has no numbers. */
export type UnknownCost =
  | { readonly plan: 'failed'; readonly errorClass: SqlErrorClass }
  | { readonly plan: 'without-numbers' }

/** Rejects with `ExpensiveQueryError` if a statement would read too much to run without approval. */
export type CheckCost = (sql: GuardedSql, options?: { readonly signal?: AbortSignal }) => Promise<void>

/**
 * A database this much smaller than the limit is not asked for plans: only products of whole tables could be too
 * expensive there, and the time limit ends those.
 */
const smallShareOfLimit = 1 / 100

/**
 * Makes the check of a statement's cost. If there is no plan the statement runs: errors in it are reported when it
 * runs, and the caps still hold. `onUnknown` is called, so that an operator sees that the check did not apply.
 */
export const makeCheckCost = (deps: {
  readonly estimate: EstimateQuery
  readonly catalog: () => Pick<Catalog, 'tables'>
  /** Rows that a statement can read without approval. */
  readonly limit: number
  /** Called for a statement that runs although its cost is not known. */
  readonly onUnknown?: (sql: GuardedSql, why: UnknownCost) => void
  /** Called for a statement that was not run, with the reason. */
  readonly onHeavy?: (sql: GuardedSql, error: ExpensiveQueryError) => void
}): CheckCost => {
  const { estimate, limit } = deps
  return async (sql, options = {}) => {
    if (isSmallDatabase(deps.catalog(), limit * smallShareOfLimit)) return
    const estimated = await estimate(sql, options).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      if (!(error instanceof SqlError)) throw error
      const { errorClass } = error
      // The quota is used up: the run would be refused for it too.
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

/** Errors that the statement did not cause: the run itself reports them. */
const serverErrors: ReadonlySet<SqlErrorClass> = new Set(['timeout', 'connection', 'permission', 'other'])

/** False if the size of a table is not known. */
const isSmallDatabase = ({ tables }: Pick<Catalog, 'tables'>, most: number): boolean => {
  let sum = 0
  for (const { type, rowCount } of tables) {
    if (type === 'view') continue
    if (rowCount === null) return false
    sum += rowCount
  }
  return sum <= most
}
