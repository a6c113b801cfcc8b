import type { Catalog, Table } from '../domain/catalog.ts'
import type { Connector } from '../domain/database.ts'
import { SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { RunLimits } from '../domain/result.ts'
import {
  type EstimateQuery,
  ExpensiveQueryError,
  type GuardedSql,
  type QueryEstimate,
} from '../domain/sql.ts'
import type { Source } from '../sql/analyze/query-scope.ts'
import { sqlScopes } from '../sql/analyze/sql-scopes.ts'
import { treeShape } from '../sql/analyze/sql-shape.ts'
import { databaseDialect } from '../sql/dialects.ts'
import type { SqlTree } from '../sql/parse/sql-tree.ts'
import type { PlannedRead, TableRowCount } from '../sql/sql-dialect.ts'
import { treeOfGuarded } from './guard/guarded-tree.ts'
import type { LimitRows } from './guard/limit-rows.ts'

/** A plan takes milliseconds and is small. A longer wait means a lock or an overloaded server. */
const planLimits: RunLimits = { timeoutMs: 3_000, maxRows: 5_000, maxBytes: 4_000_000 }

/**
 * Estimates what a statement would read, from the plan of what would be sent, limit included, and the row counts of the
 * catalog. Numbers that the plan does not give are null in the estimate.
 */
export const makeEstimateQuery = (deps: {
  readonly connector: Pick<Connector, 'explain' | 'dialect'>
  readonly limitRows: LimitRows
  readonly maxRows: number
  readonly catalog: () => Pick<Catalog, 'tables'>
}): EstimateQuery => {
  const { connector, limitRows, maxRows } = deps
  const { plan: planRules } = databaseDialect(connector.dialect)
  return async (sql, { signal } = {}) => {
    const limited = limitRows(sql, maxRows + 1)
    const tree = treeOfGuarded(limited)
    const aliases = aliasesIn(tree)
    const rowsOf = rowsByName(deps.catalog().tables, aliases)
    if (tree !== null && !planRules.showsLimit && endsEarly(tree)) {
      const table = onlyTableOf(tree)
      return { rows: Math.min(maxRows, (table === null ? null : rowsOf(table)) ?? maxRows), table }
    }
    const plan = await connector.explain(limited, { ...planLimits, ...(signal && { signal }) })
    const planned = planRules.readBytes?.(plan) ?? null
    return { ...sumOf(planRules.read(plan, rowsOf), aliases), ...(planned !== null && { planned }) }
  }
}

/** True for a query of the first rows of one table, without counting, sorting or filtering. */
const endsEarly = (tree: SqlTree): boolean => {
  const shape = treeShape(tree)
  if (shape === null) return false
  const { items, sources, nested, limit, groupBy, orderBy, having, setOperation, distinct, comparisons } =
    shape
  return (
    limit !== null &&
    sources === 1 &&
    nested === 0 &&
    groupBy.length === 0 &&
    orderBy.length === 0 &&
    having === null &&
    setOperation === null &&
    !distinct &&
    items.every(({ aggregate }) => aggregate === null) &&
    Object.keys(comparisons).length === 0
  )
}

const onlyTableOf = (tree: SqlTree): string | null =>
  sqlScopes(tree).flatMap(({ sources }) => sources.map(({ name }) => name))[0] ?? null

/** Tables by their aliases in a statement, in lower case. */
type Aliases = ReadonlyMap<string, string>

const aliasesIn = (tree: SqlTree | null): Aliases =>
  new Map(
    sourcesOf(tree).flatMap(({ name, alias }) =>
      name !== null && alias !== null ? [[alias.toLowerCase(), name] as const] : [],
    ),
  )

const sourcesOf = (tree: SqlTree | null): readonly Source[] =>
  (tree === null ? [] : sqlScopes(tree)).flatMap(({ sources }) =>
    sources.filter(({ kind }) => kind === 'table'),
  )

/**
 * Row counts by the names of tables, with and without their schemas, and by their aliases. Of two tables with one name,
 * the larger; a name with a schema, and perhaps a catalog, means one table alone.
 */
const rowsByName = (tables: readonly Table[], aliases: Aliases): TableRowCount => {
  const rows = new Map<string, number>()
  const inSchema = new Map<string, number | null>()
  for (const { schema, home, name, rowCount } of tables) {
    const key = name.toLowerCase()
    const place = schema ?? home
    if (place !== undefined) inSchema.set(`${place.toLowerCase()}.${key}`, rowCount)
    if (rowCount !== null) rows.set(key, Math.max(rows.get(key) ?? 0, rowCount))
  }
  return named => {
    const key = named.toLowerCase()
    for (let full = key; full.includes('.'); full = full.slice(full.indexOf('.') + 1)) {
      const known = inSchema.get(full)
      if (known !== undefined) return known
    }
    return rows.get(aliases.get(key)?.toLowerCase() ?? key) ?? rows.get(key) ?? null
  }
}

const sumOf = (reads: readonly PlannedRead[], aliases: Aliases): QueryEstimate => {
  if (reads.length === 0) return { rows: 0, table: null }
  const known = reads.filter((read): read is PlannedRead & { rows: number } => read.rows !== null)
  if (known.length === 0) return { rows: null, table: null }
  const most = known.reduce((best, read) => (read.rows > best.rows ? read : best))
  return {
    rows: Math.round(known.reduce((sum, { rows }) => sum + rows, 0)),
    table: most.table === null ? null : (aliases.get(most.table.toLowerCase()) ?? most.table),
    ...(known.length < reads.length && { isLowerBound: true as const }),
  }
}

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
    const isKnown = estimated.rows !== null && estimated.isLowerBound !== true
    const isHeavy = estimated.rows !== null && estimated.rows > limit
    const table = isKnown || isHeavy ? null : largeTableIn(sql, deps.catalog())
    if (estimated.rows === null && table === null) {
      deps.onUnknown?.(sql, { plan: 'without-numbers' })
      return
    }
    if (!isHeavy && table === null) return
    const heavy = new ExpensiveQueryError(table === null ? estimated : { rows: null, table }, limit)
    deps.onHeavy?.(sql, heavy)
    throw heavy
  }
}

/**
 * A table of the statement of which nobody knows how large it is, neither the plan nor statistics, and that has more
 * rows than are measured whole, or could not be measured. Null if there is none.
 */
const largeTableIn = (guarded: GuardedSql, { tables }: Pick<Catalog, 'tables'>): string | null => {
  const named = new Set(sourcesOf(treeOfGuarded(guarded)).map(({ name }) => name?.toLowerCase()))
  // Of a table that was measured whole, the rows were counted.
  const isUnknown = ({ type, name, rowCount, columns }: Table): boolean =>
    type === 'table' &&
    rowCount === null &&
    named.has(name.toLowerCase()) &&
    columns.some(({ masked }) => masked !== true)
  return tables.find(isUnknown)?.name ?? null
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
