import type { Catalog, Table } from '../../domain/catalog.ts'
import type { Connector } from '../../domain/database.ts'
import type { RunLimits } from '../../domain/result.ts'
import type { EstimateQuery, GuardedSql, QueryEstimate } from '../../domain/sql.ts'
import { sqlScopes } from '../../sql/analyze/sql-scopes.ts'
import { treeShape } from '../../sql/analyze/sql-shape.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { parseSql } from '../../sql/parse-sql.ts'
import type { PlannedRead, TableRowCount } from '../../sql/sql-dialect.ts'
import type { SqlTree } from '../../sql/sql-tree.ts'
import type { LimitRows } from '../guard/limit-rows.ts'

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
    const tree = treeOf(limited)
    const aliases = aliasesIn(tree)
    const rowsOf = rowsByName(deps.catalog().tables, aliases)
    if (tree !== null && !planRules.showsLimit && endsEarly(tree)) {
      const table = onlyTableOf(tree)
      return { rows: Math.min(maxRows, (table === null ? null : rowsOf(table)) ?? maxRows), table }
    }
    const plan = await connector.explain(limited, { ...planLimits, ...(signal && { signal }) })
    return sumOf(planRules.read(plan, rowsOf), aliases)
  }
}

const treeOf = ({ sql, dialect }: GuardedSql): SqlTree | null => {
  const parsed = parseSql(sql, dialect)
  return parsed.ok ? parsed.tree : null
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
    (tree === null ? [] : sqlScopes(tree)).flatMap(({ sources }) =>
      sources.flatMap(({ kind, name, alias }) =>
        kind === 'table' && name !== null && alias !== null ? [[alias.toLowerCase(), name] as const] : [],
      ),
    ),
  )

/** Row counts by the names of tables and by their aliases; of two tables with one name, the larger. */
const rowsByName = (tables: readonly Table[], aliases: Aliases): TableRowCount => {
  const rows = new Map<string, number>()
  for (const { name, rowCount } of tables) {
    const key = name.toLowerCase()
    if (rowCount !== null) rows.set(key, Math.max(rows.get(key) ?? 0, rowCount))
  }
  return named => {
    const key = named.toLowerCase()
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
  }
}
