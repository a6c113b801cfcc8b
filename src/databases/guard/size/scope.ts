import type { Expression, FromSource, QueryTree } from '../../../sql/tree/query-tree.ts'
import { column, type Extent, eitherOf, nothing, together } from './extent.ts'

/** What a query gives. */
export interface Rows {
  readonly columns: readonly { readonly name: string | null; readonly extent: Extent }[]
  /** A column that is not among those, where a star stands for the columns of a table. */
  readonly rest: Extent | null
  readonly count: number
  /** True if its rows are made by the statement, so that their number is known. */
  readonly made: boolean
}

/** Rows in FROM, by the name that columns are qualified with. */
export interface NamedRows extends Rows {
  readonly name: string | null
}

/** What the names in an expression can mean. */
export interface Scope {
  readonly sources: readonly NamedRows[]
  /** Names of the SELECT list, and of lambdas. */
  readonly locals: ReadonlyMap<string, Extent>
  /** Bounds that conditions set for columns. */
  readonly bounds: Bounds
  /** Rows that an aggregate puts together. */
  readonly rows: number
  readonly ctes: ReadonlyMap<string, Rows>
  readonly parent: Scope | null
}

type Bounds = ReadonlyMap<string, Partial<Pick<Extent, 'low' | 'high'>>>

export const emptyScope: Scope = {
  sources: [],
  locals: new Map(),
  bounds: new Map(),
  rows: 1,
  ctes: new Map(),
  parent: null,
}

/** Whether two names may mean the same: two that differ by case count as the larger of both. */
export const sameName = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

/** A scope in which more names are known. */
export const withLocals = (scope: Scope, more: readonly (readonly [string, Extent])[]): Scope => ({
  ...scope,
  locals: new Map([...scope.locals, ...more.map(([name, extent]) => [name.toLowerCase(), extent] as const)]),
})

/** The rows of the nearest CTE of that name. */
export const findCte = (scope: Scope | null, name: string): Rows | undefined =>
  scope === null ? undefined : (scope.ctes.get(name.toLowerCase()) ?? findCte(scope.parent, name))

/** What a column holds: all that may be meant if its name does not say which. */
export const columnExtent = (qualifier: string | null, name: string, scope: Scope | null): Extent => {
  if (scope === null) return column
  const known = scope.sources.filter(source => qualifier === null || sameName(source.name, qualifier))
  const found = known.flatMap(source => {
    const named = source.columns.filter(one => sameName(one.name, name)).map(({ extent }) => extent)
    if (named.length > 0) return named
    if (qualifier === null && sameName(source.name, name)) return [wholeRow(source)]
    return source.rest === null ? [] : [source.rest]
  })
  const local = qualifier === null ? scope.locals.get(name.toLowerCase()) : undefined
  if (local !== undefined) found.push(local)
  if (found.length === 0) return columnExtent(qualifier, name, scope.parent)
  const extent = eitherOf(found)
  const { low = extent.low, high = extent.high } = scope.bounds.get(name.toLowerCase()) ?? {}
  return { ...extent, low: Math.max(extent.low, low), high: Math.min(extent.high, high) }
}

/** `SELECT t FROM t`: all columns in one value. */
const wholeRow = ({ columns, rest }: Rows): Extent =>
  together([
    ...columns.map(({ extent }) => extent),
    ...(rest === null ? [] : [{ ...rest, length: 10 * rest.length }]),
  ])

/** All columns of rows, one after the other. */
export const extentsOf = ({ columns, rest }: Rows): readonly Extent[] => [
  ...columns.map(({ extent }) => extent),
  ...(rest === null ? [] : [rest]),
]

/** Rows with new names for their columns: `t (a, b)`. */
export const rename = (rows: Rows, names: readonly string[]): Rows => {
  const { columns, rest } = rows
  if (names.length === 0) return rows
  if (columns.length === 0 && rest !== null)
    return { ...rows, columns: names.map(name => ({ name, extent: rest })) }
  return { ...rows, columns: columns.map(({ name, extent }, at) => ({ name: names[at] ?? name, extent })) }
}

/** Rows that a statement makes multiply. Those of tables do only if no condition joins them. */
export const joinedRows = (
  sources: readonly Rows[],
  withoutCondition: number,
): { readonly count: number; readonly made: boolean } => {
  const made = sources.filter(source => source.made).reduce((product, { count }) => product * count, 1)
  const tables = sources.filter(source => !source.made)
  if (tables.length === 0) return { count: made, made: true }
  const largest = Math.max(...tables.map(({ count }) => count))
  const crossed = Math.min(tables.length, withoutCondition + 1)
  const count =
    withoutCondition > 0 && sources.length > 1 ? made * largest ** crossed : Math.max(made, largest)
  return { count, made: false }
}

/** What conditions that must all hold say about numbers: `n < 10`. */
export const boundsIn = (conditions: readonly Expression[]): Bounds => {
  const bounds = new Map<string, Partial<Pick<Extent, 'low' | 'high'>>>()
  const note = (named: Expression, side: 'low' | 'high', limit: Expression): void => {
    if (named.kind !== 'column' || limit.kind !== 'number') return
    const key = named.name.toLowerCase()
    bounds.set(key, { ...bounds.get(key), [side]: Number(limit.value) })
  }
  const visit = (condition: Expression): void => {
    if (condition.kind === 'and') for (const operand of condition.operands) visit(operand)
    if (condition.kind === 'paren') visit(condition.operand)
    if (condition.kind === 'between' && !condition.negated) {
      note(condition.operand, 'low', condition.low)
      note(condition.operand, 'high', condition.high)
    }
    if (condition.kind !== 'compare' || condition.quantifier !== null) return
    const { operator, left, right } = condition
    if (operator === '<' || operator === '<=' || operator === '=') note(left, 'high', right)
    if (operator === '>' || operator === '>=' || operator === '=') note(left, 'low', right)
    if (operator === '<' || operator === '<=') note(right, 'low', left)
    if (operator === '>' || operator === '>=') note(right, 'high', left)
  }
  for (const condition of conditions) visit(condition)
  return bounds
}

/** Whether a round of a recursive query changed nothing. */
export const isSame = (a: Rows, b: Rows): boolean =>
  a.columns.length === b.columns.length &&
  a.columns.every(({ extent }, at) => {
    const other = b.columns[at]?.extent ?? nothing
    return (
      extent.length === other.length &&
      extent.items === other.items &&
      extent.low === other.low &&
      extent.high === other.high
    )
  })

/** Rows in which the numbers that changed have no bounds. */
export const widened = (before: Rows, after: Rows): Rows => ({
  ...after,
  columns: after.columns.map(({ name, extent }, at) => {
    const old = before.columns[at]?.extent ?? extent
    const low = extent.low < old.low ? Number.NEGATIVE_INFINITY : extent.low
    const high = extent.high > old.high ? Number.POSITIVE_INFINITY : extent.high
    return { name, extent: { ...extent, low, high } }
  }),
})

/** Whether a query reads the CTE that it makes. */
export const namesItself = (query: QueryTree, name: string): boolean => {
  if (query.kind === 'set') return namesItself(query.left, name) || namesItself(query.right, name)
  const inSource = (source: FromSource): boolean => {
    switch (source.kind) {
      case 'table':
        return source.schema === null && sameName(source.name, name)
      case 'derived':
        return namesItself(source.query, name)
      case 'joined':
        return source.sources.some(one => inSource(one.source))
      case 'function':
        return false
      default:
        return source.source !== null && inSource(source.source)
    }
  }
  return (
    query.from.some(({ source }) => inSource(source)) || query.ctes.some(cte => namesItself(cte.query, name))
  )
}
