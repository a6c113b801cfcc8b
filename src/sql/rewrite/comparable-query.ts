import type { ParseDialect } from '../../domain/sql.ts'
import { mapOrdering, mapParts } from '../tree/map-parts.ts'
import {
  type Comparison,
  compareOf,
  type Expression,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
} from '../tree/query-tree.ts'
import { readQueryTree } from './plain-query.ts'

/** Which columns the tables of a database have; names in lower case. What a text leaves open is settled by it. */
export type TablesWith = (column: string) => readonly string[]

/**
 * A single query with what may be written in several ways written in one, to compare two statements for one question:
 * names are in lower case, a column's qualifier is its table (null if neither the text nor the catalog tells it),
 * places and names of the SELECT list are what stands there, and constants stand on the right of a comparison. CTEs are
 * left out. Null for a text that cannot be parsed or is no query.
 */
export const comparableQuery = (
  sql: string,
  dialect: ParseDialect,
  tablesWith: TablesWith = () => [],
): QueryTree | null => {
  const query = readQueryTree(sql, dialect)
  return query === null ? null : resolveQuery(query, { tables: new Map(), outer: null, tablesWith })
}

/** What the names of one SELECT stand for: tables by the name they go by there. Scopes see what is around them. */
interface Scope {
  readonly tables: ReadonlyMap<string, string | null>
  readonly outer: Scope | null
  readonly tablesWith: TablesWith
}

const resolveQuery = (query: QueryTree, outer: Scope): QueryTree =>
  query.kind === 'select'
    ? resolveSelect(query, outer)
    : {
        ...query,
        ctes: [],
        left: resolveQuery(query.left, outer),
        right: resolveQuery(query.right, outer),
        orderBy: query.orderBy.map(key => mapOrdering(key, part => resolve(part, outer))),
      }

const resolveSelect = (select: SelectTree, outer: Scope): SelectTree => {
  const scope: Scope = { tables: new Map(select.from.map(namedTable)), outer, tablesWith: outer.tablesWith }
  const read = (part: Expression): Expression => resolve(part, scope)
  const outputs = select.outputs.map(({ expression }) => ({ expression: read(expression), alias: null }))
  const byAlias = new Map(
    select.outputs.flatMap(({ alias }, at) => {
      const output = outputs[at]
      return alias === null || output === undefined ? [] : [[alias.toLowerCase(), output.expression] as const]
    }),
  )
  /** A place in the SELECT list (`ORDER BY 2`) or a name given there means what stands there. */
  const asOutput = (resolved: Expression): Expression => {
    if (resolved.kind === 'number') return outputs[Number(resolved.value) - 1]?.expression ?? resolved
    const isName = resolved.kind === 'column' && scope.tablesWith(resolved.name).length === 0
    return isName ? (byAlias.get(resolved.name) ?? resolved) : resolved
  }
  const compared = (resolved: Expression): Expression => {
    switch (resolved.kind) {
      case 'and':
      case 'not':
        return mapParts(resolved, compared, query => query)
      case 'compare':
        return { ...resolved, left: asOutput(resolved.left) }
      case 'between':
      case 'in':
      case 'null-test':
        return { ...resolved, operand: asOutput(resolved.operand) }
      default:
        return resolved
    }
  }
  return {
    ...select,
    ctes: [],
    outputs,
    from: select.from.map(joined => resolveSource(joined, scope, outer)),
    where: select.where === null ? null : read(select.where),
    groupBy: select.groupBy.map(key => asOutput(read(key))),
    having: select.having === null ? null : compared(read(select.having)),
    orderBy: select.orderBy.map(key => mapOrdering(key, part => asOutput(read(part)))),
  }
}

/** The name by which a SELECT knows a source, and the table behind it; null for a subquery or a function. */
const namedTable = ({ source }: JoinedSource, at: number): readonly [string, string | null] => {
  const table = source.kind === 'table' ? source.name.toLowerCase() : null
  return [source.alias?.toLowerCase() ?? table ?? `#${at}`, table]
}

/** A subquery in FROM sees what is around its SELECT, not its neighbors. */
const resolveSource = (joined: JoinedSource, scope: Scope, outer: Scope): JoinedSource => {
  const on = joined.on === null ? null : resolve(joined.on, scope)
  const { source } = joined
  switch (source.kind) {
    case 'table':
      return { ...joined, on, source: { ...source, name: source.name.toLowerCase(), alias: null } }
    case 'derived':
      return { ...joined, on, source: { ...source, query: resolveQuery(source.query, outer) } }
    default:
      return { ...joined, on }
  }
}

const resolve = (expression: Expression, scope: Scope): Expression => {
  switch (expression.kind) {
    case 'column': {
      const name = expression.name.toLowerCase()
      // SQLite takes `"x"` for text if there is no such column.
      if (expression.mayBeText && scope.tablesWith(name).length === 0)
        return { kind: 'text', value: expression.name }
      const qualifier = tableOf(expression.qualifier?.toLowerCase() ?? null, name, scope)
      return { ...expression, outer: [], qualifier, name, mayBeText: false }
    }
    case 'star': {
      const qualifier = expression.qualifier?.toLowerCase() ?? null
      return { ...expression, qualifier: qualifier === null ? null : tableOf(qualifier, '*', scope) }
    }
    default:
      return sorted(
        mapParts(
          expression,
          part => resolve(part, scope),
          query => resolveQuery(query, scope),
        ),
      )
  }
}

/** `3 < a` as `a > 3`, and a pattern without wildcards as `=`. */
const sorted = (expression: Expression): Expression => {
  if (expression.kind !== 'compare' || expression.quantifier !== null) return expression
  const { operator, variant, left, right } = expression
  const flipped = flippedComparisons[operator]
  if (variant === null && flipped !== undefined && isValue(left) && !isValue(right))
    return compareOf(flipped, right, left)
  const isLike = operator === 'like' || operator === 'not like'
  const isPlainText = right.kind === 'text' && !/[%_]/.test(right.value)
  if (!isLike || (variant !== null && variant !== 'no-case') || !isPlainText) return expression
  const equal = compareOf('=', left, right)
  return operator === 'like' ? equal : { kind: 'not', operand: equal }
}

const isValue = (expression: Expression): boolean =>
  expression.kind === 'text' ||
  expression.kind === 'number' ||
  (expression.kind === 'constant' && expression.value !== 'null')

/** What the operator says if its sides change places: `3 < a` is `a > 3`. */
const flippedComparisons: Readonly<Partial<Record<Comparison, Comparison>>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** The real table behind a column's qualifier, or behind no qualifier; null if nothing tells. */
const tableOf = (qualifier: string | null, column: string, scope: Scope): string | null => {
  if (qualifier !== null) {
    const known = scope.tables.get(qualifier)
    if (known !== undefined) return known
    return scope.outer === null ? null : tableOf(qualifier, column, scope.outer)
  }
  const own = [...new Set([...scope.tables.values()].filter(table => table !== null))]
  const having = scope.tablesWith(column)
  const fits = own.filter(table => having.includes(table))
  if (fits.length > 0) return fits.length === 1 ? (fits[0] ?? null) : null
  if (scope.outer !== null && having.length > 0) return tableOf(null, column, scope.outer)
  return scope.tables.size === 1 && having.length === 0 ? (own[0] ?? null) : null
}
