import type { ParseDialect } from '../../../domain/sql.ts'
import { databaseDialect, isDatabaseDialect } from '../../../sql/dialects.ts'
import type { NamedThing, NameRules } from '../../../sql/sql-dialect.ts'
import type { Expression, FromSource, JoinedSource, QueryTree } from '../../../sql/tree/query-tree.ts'
import { column, type Extent, eitherOf, nothing, tableRows, together } from './extent.ts'

/** What a query gives. */
export interface Rows {
  readonly columns: readonly { readonly name: string | null; readonly extent: Extent }[]
  /** A column that is not among those, where a star stands for the columns of a table. */
  readonly rest: Extent | null
  readonly count: number
  /** True if its rows are made by the statement, so that their number is known. */
  readonly made: boolean
  /** How many rows the statement makes for certain out of each row of tables. */
  readonly factor: number
}

/** Rows in FROM, by the name that columns are qualified with. */
export interface NamedRows extends Rows {
  readonly name: string | null
  /** True for what a function makes out of each row beside it. How many that are, the data says. */
  readonly isOfData?: boolean
}

/** How the names of a dialect compare. */
export interface SizeNames {
  /** True if they may mean the same. Names that differ by case count as the larger of both, whatever the server says. */
  readonly mayBe: (a: string | null, b: string | null, what: NamedThing) => boolean
  /** True if they mean the same for certain. */
  readonly isSure: (a: string, b: string, what: NamedThing) => boolean
}

/** Makes the comparison of names. */
export const makeSizeNames = (dialect: ParseDialect): SizeNames => {
  const same: NameRules['same'] = isDatabaseDialect(dialect)
    ? databaseDialect(dialect).names.same
    : (a, b) => (a === b ? 'yes' : 'maybe')
  const isPlain = (name: string): boolean => /^\w*$/.test(name)
  return {
    mayBe: (a, b, what) =>
      a !== null &&
      b !== null &&
      (a === b ||
        a.toLowerCase() === b.toLowerCase() ||
        (!(isPlain(a) && isPlain(b)) && same(a, b, what) !== 'no')),
    isSure: (a, b, what) => a === b || same(a, b, what) === 'yes',
  }
}

/** What the names in an expression can mean. */
export interface Scope {
  readonly names: SizeNames
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

/** What conditions say of a column, by its name as it is written. */
type Bounds = readonly (Partial<Pick<Extent, 'low' | 'high'>> & {
  readonly qualifier: string | null
  readonly name: string
})[]

/** Where a statement begins. */
export const emptyScope = (names: SizeNames): Scope => ({
  names,
  sources: [],
  locals: new Map(),
  bounds: [],
  rows: 1,
  ctes: new Map(),
  parent: null,
})

/** A scope in which more names are known. */
export const withLocals = (scope: Scope, more: readonly (readonly [string, Extent])[]): Scope => ({
  ...scope,
  locals: new Map([...scope.locals, ...more]),
})

/** The CTEs with one more, which hides those that have its name for certain. */
export const addCte = (
  ctes: ReadonlyMap<string, Rows>,
  name: string,
  rows: Rows,
  names: SizeNames,
): ReadonlyMap<string, Rows> =>
  new Map([...[...ctes].filter(([other]) => !names.isSure(other, name, 'query')), [name, rows]])

/** What a table counts as. */
export const rowsOfTable: Rows = { columns: [], rest: column, count: tableRows, made: false, factor: 1 }

/** The rows of the CTE of that name. In doubt, all that may be meant counts, also a table. */
export const findCte = (scope: Scope | null, name: string): Rows | undefined => {
  if (scope === null) return undefined
  const meant = [...scope.ctes].filter(([other]) => scope.names.mayBe(other, name, 'query'))
  const [only, ...others] = meant
  if (only === undefined) return findCte(scope.parent, name)
  const isSure = meant.some(([other]) => scope.names.isSure(other, name, 'query'))
  return isSure && others.length === 0
    ? only[1]
    : largestOf([...meant.map(([, rows]) => rows), ...(isSure ? [] : [rowsOfTable])])
}

/** Rows that are any of these. */
const largestOf = (all: readonly Rows[]): Rows => {
  const rests = all.flatMap(({ rest }) => rest ?? [])
  return {
    columns: all.flatMap(({ columns }) => columns),
    rest: rests.length === 0 ? null : eitherOf(rests),
    count: Math.max(...all.map(({ count }) => count)),
    made: all.some(({ made }) => made),
    factor: Math.max(...all.map(({ factor }) => factor)),
  }
}

/** What a column holds: all that may be meant if its name does not say which. */
export const columnExtent = (qualifier: string | null, name: string, scope: Scope | null): Extent => {
  if (scope === null) return column
  const { mayBe, isSure } = scope.names
  const known = scope.sources.filter(source => qualifier === null || mayBe(source.name, qualifier, 'table'))
  const found = known.flatMap(source => {
    const named = source.columns.filter(one => mayBe(one.name, name, 'column'))
    const isCertain = named.some(one => one.name !== null && isSure(one.name, name, 'column'))
    const extents = named.map(({ extent }) => extent)
    if (isCertain) return extents
    if (named.length === 0 && qualifier === null && mayBe(source.name, name, 'table'))
      return [wholeRow(source)]
    return source.rest === null ? extents : [...extents, source.rest]
  })
  if (qualifier === null)
    for (const [local, extent] of scope.locals) if (mayBe(local, name, 'column')) found.push(extent)
  if (found.length === 0) return columnExtent(qualifier, name, scope.parent)
  const extent = eitherOf(found)
  let [low, high] = [extent.low, extent.high]
  for (const bound of scope.bounds) {
    const isMeant =
      isSure(bound.name, name, 'column') &&
      (bound.qualifier === null || qualifier === null || isSure(bound.qualifier, qualifier, 'table'))
    if (isMeant) [low, high] = [Math.max(low, bound.low ?? low), Math.min(high, bound.high ?? high)]
  }
  return { ...extent, low, high }
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
): Pick<Rows, 'count' | 'made' | 'factor'> => {
  const factor = sources.reduce((product, one) => product * one.factor, 1)
  const made = sources.filter(source => source.made).reduce((product, { count }) => product * count, 1)
  const tables = sources.filter(source => !source.made)
  if (tables.length === 0) return { count: made, made: true, factor }
  const largest = Math.max(...tables.map(({ count }) => count))
  const crossed = Math.min(tables.length, withoutCondition + 1)
  const count =
    withoutCondition > 0 && sources.length > 1 ? made * largest ** crossed : Math.max(made, largest)
  return { count: Math.max(count, factor), made: false, factor }
}

/** What the conditions of a SELECT that hold for each of its rows say about numbers: `n < 10`. */
export const boundsIn = (where: Expression | null, from: readonly JoinedSource[]): Bounds => {
  const bounds: Bounds[number][] = []
  const note = (named: Expression, side: 'low' | 'high', limit: Expression): void => {
    if (named.kind !== 'column' || limit.kind !== 'number') return
    bounds.push({ qualifier: named.qualifier, name: named.name, [side]: Number(limit.value) })
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
  if (where !== null) visit(where)
  // An outer join gives rows for which its condition does not hold.
  for (const { join, on, natural, special } of from)
    if (on !== null && !natural && special === undefined && (join === 'inner' || join === 'cross')) visit(on)
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
export const namesItself = (query: QueryTree, name: string, names: SizeNames): boolean => {
  if (query.kind === 'set')
    return namesItself(query.left, name, names) || namesItself(query.right, name, names)
  const inSource = (source: FromSource): boolean => {
    switch (source.kind) {
      case 'table':
        return source.schema === null && names.mayBe(source.name, name, 'query')
      case 'derived':
        return namesItself(source.query, name, names)
      case 'joined':
        return source.sources.some(one => inSource(one.source))
      case 'function':
        return false
      default:
        return source.source !== null && inSource(source.source)
    }
  }
  return (
    query.from.some(({ source }) => inSource(source)) ||
    query.ctes.some(cte => namesItself(cte.query, name, names))
  )
}
