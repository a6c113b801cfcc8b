import { childrenOf, orderingParts } from '../tree/children.ts'
import {
  type CallExpression,
  type ColumnName,
  type Expression,
  type Frame,
  type FromSource,
  isUnclearQuery,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
} from '../tree/query-tree.ts'
import { type ColumnUse, makeScope, type QueryScope } from './query-scope.ts'

/** Whether a name in FROM means a query of WITH, for certain. */
export type MeansQuery = (query: string, name: string) => boolean

/**
 * Every SELECT of some statements as a scope, outermost first; around each statement stands an empty one. A name that
 * only may be a query of WITH counts as a table.
 */
export const readScopes = (
  statements: readonly Expression[],
  meansQuery: MeansQuery,
): readonly QueryScope[] => {
  const scopes: QueryScope[] = []
  for (const statement of statements) {
    const scope = makeScope(null)
    scopes.push(scope)
    visit(statement, { scopes, scope, ctes: new Set(), meansQuery, mayBeOutput: false, comparedTo: null })
  }
  return scopes
}

/** Where an expression stands: what it may name, and which column a literal in it is compared to. */
interface Place {
  /** All scopes so far. */
  readonly scopes: QueryScope[]
  readonly scope: QueryScope
  /** Names of the CTEs that can be seen from here, as they are written. */
  readonly ctes: ReadonlySet<string>
  readonly meansQuery: MeansQuery
  readonly mayBeOutput: boolean
  readonly comparedTo: ColumnUse | null
}

const withoutComparison = (place: Place): Place =>
  place.comparedTo === null ? place : { ...place, comparedTo: null }

const readQuery = (query: QueryTree, place: Place): void => {
  if (query.kind === 'set') readSet(query, place)
  else readSelect(query, place)
  for (const { ctes, orderBy, limit, offset, details } of query.brackets) {
    for (const cte of ctes) readQuery(cte.query, place)
    visitAll([...orderBy.flatMap(orderingParts), limit, offset, ...details], place)
  }
}

const readSet = (query: Extract<QueryTree, { kind: 'set' }>, place: Place): void => {
  const inside = { ...place, ctes: readCtes(query, place) }
  readQuery(query.left, inside)
  readQuery(query.right, inside)
  // ORDER BY after a set operation names results, never columns.
  visitAll([query.limit, query.offset], inside)
}

const readSelect = (select: SelectTree, place: Place): void => {
  const ctes = readCtes(select, place)
  // VALUES names no sources of its own, nor does what is no query at all.
  if (select.rows !== null || isUnclearQuery(select)) {
    const clauses = [...select.orderBy.flatMap(orderingParts), select.limit, select.offset]
    visitAll([...(select.rows ?? []), ...clauses, ...select.details], { ...place, ctes })
    return
  }
  const scope = makeScope(place.scope)
  place.scopes.push(scope)
  const here: Place = { ...place, scope, ctes, mayBeOutput: false, comparedTo: null }
  for (const joined of select.from) readJoined(joined, here)
  for (const { expression, alias } of select.outputs) {
    if (alias !== null) scope.outputs.add(alias.toLowerCase())
    visit(expression, here)
  }
  visitAll([select.where], here)
  visitAll([...select.groupBy, select.having, select.qualify, ...select.orderBy.flatMap(orderingParts)], {
    ...here,
    mayBeOutput: true,
  })
  visitAll([select.limit, select.offset, ...select.details], here)
}

const readCtes = ({ ctes, recursive }: Frame, place: Place): ReadonlySet<string> => {
  if (ctes.length === 0) return place.ctes
  const seen = new Set(place.ctes)
  // The name of a value is that of no table.
  const named = new Set(ctes.flatMap(({ name, isValue }) => (isValue ? [] : [name])))
  if (recursive) for (const name of named) seen.add(name)
  for (const { name, query } of ctes) {
    readQuery(query, { ...place, ctes: new Set(seen) })
    if (named.has(name)) seen.add(name)
  }
  return seen
}

const readJoined = ({ source, using, on }: JoinedSource, place: Place): void => {
  const { sources, columns } = place.scope
  const left = sources.at(-1)
  readSource(source, place)
  const right = sources.at(-1)
  // `USING (a)` names a column of both sides.
  for (const column of using)
    for (const side of [left, right])
      columns.push({ ...plainUse, qualifier: side?.alias ?? side?.name ?? null, column })
  visitAll([on], place)
}

const isQuery = (name: string, { ctes, meansQuery }: Place): boolean =>
  [...ctes].some(query => meansQuery(query, name))

const plainUse = { mayBeText: false, mayBeOutput: false }

const readSource = (source: FromSource, place: Place): void => {
  const { alias } = source
  const derived = (name: string | null): unknown =>
    place.scope.sources.push({ kind: 'derived', catalog: null, schema: null, name: alias ?? name, alias })
  switch (source.kind) {
    case 'table': {
      const { catalog, schema, name } = source
      const isCte = schema === null && isQuery(name, place)
      place.scope.sources.push({ kind: isCte ? 'derived' : 'table', catalog, schema, name, alias })
      return
    }
    case 'derived':
      derived(null)
      readQuery(source.query, place)
      return
    case 'function':
      derived(source.called)
      visitAll(source.parts, place)
      return
    case 'joined':
      for (const joined of source.sources) readJoined(joined, place)
      return
    case 'reshaped':
    case 'sampled':
    case 'unclear':
      if (source.source === null) derived(null)
      else readSource(source.source, place)
      visitAll(source.parts, place)
      return
    default: {
      const never: never = source
      throw new Error(`a source of no kind: ${String(never)}`)
    }
  }
}

const visitAll = (expressions: readonly (Expression | null)[], place: Place): void => {
  for (const expression of expressions) if (expression !== null) visit(expression, place)
}

const visit = (expression: Expression, place: Place): void => {
  const apart = withoutComparison(place)
  switch (expression.kind) {
    case 'column':
      readColumn(expression, place)
      return
    case 'star':
      place.scope.columns.push({ ...plainUse, qualifier: expression.qualifier, column: '*' })
      visitAll(expression.replace, place)
      return
    case 'text':
    case 'number':
      readLiteral(expression.kind, expression.value, place)
      return
    case 'paren':
      visit(expression.operand, place)
      return
    case 'cast':
      visit(expression.operand, expression.lenient ? apart : place)
      visitAll(expression.details, apart)
      return
    case 'call':
      readCall(expression, place)
      return
    case 'compare':
    case 'is':
      readComparison(expression, place)
      return
    case 'between': {
      visit(expression.operand, apart)
      const bound = { ...place, comparedTo: comparedColumn(expression.operand, place) }
      visitAll([expression.low, expression.high], bound)
      return
    }
    case 'in':
      readIn(expression, place)
      return
    case 'exists':
    case 'subquery':
      readQuery(expression.query, apart)
      return
    case 'field':
      readField(expression, place)
      return
    // Types hold numbers that nobody compares.
    case 'type':
      return
    default:
      visitAll(childrenOf(expression), apart)
  }
}

const readColumn = (column: ColumnName, place: Place): void => {
  const use = columnUse(column, place)
  place.scope.columns.push(use)
  if (!use.mayBeText) return
  place.scope.literals.push({
    value: use.column,
    kind: 'text',
    comparedTo: place.comparedTo,
    mayBeColumn: true,
  })
}

const columnUse = ({ qualifier, name, mayBeText }: ColumnName, { mayBeOutput }: Place): ColumnUse => ({
  qualifier,
  column: name,
  mayBeText,
  mayBeOutput,
})

const readLiteral = (kind: 'text' | 'number', value: string, { scope, comparedTo }: Place): void => {
  scope.literals.push({ value, kind, comparedTo, mayBeColumn: false })
}

const readCall = (call: CallExpression, place: Place): void => {
  const apart = withoutComparison(place)
  const [first, second] = call.inputs
  if (call.name === 'negative' && (first?.kind === 'number' || first?.kind === 'text'))
    readLiteral(first.kind, `-${first.value}`, place)
  else if (call.name === 'nullif' && first !== undefined && second !== undefined)
    readComparison({ left: first, right: second }, place)
  else {
    const passed = passesComparison(call)
    call.inputs.forEach((input, index) => {
      visit(input, passed === 'all' || (passed === 'first' && index === 0) ? place : apart)
    })
  }
  visitAll(call.details, apart)
}

/** Through which of its inputs a comparison with a call reaches: `a = lower('X')`, `a = ANY (ARRAY['x', 'y'])`. */
const passesComparison = ({ name, inputs }: CallExpression): 'all' | 'first' | 'none' => {
  if (lists.has(name)) return 'all'
  if (trims.has(name)) return 'first'
  return valueKeeping.has(name) && inputs.length === 1 ? 'first' : 'none'
}

const lists: ReadonlySet<string> = new Set(['tuple', 'array', 'a_arrayexpr'])

const trims: ReadonlySet<string> = new Set(['trim', 'l_trim', 'r_trim'])

/** Functions that leave a text what it is to a reader: a literal beside `lower(name)` is still a value of `name`. */
const valueKeeping: ReadonlySet<string> = new Set(['lower', 'upper', 'btrim', 'ltrim', 'rtrim', ...trims])

const readComparison = (
  { left, right }: { readonly left: Expression; readonly right: Expression },
  place: Place,
): void => {
  const [leftColumn, rightColumn] = [comparedColumn(left, place), comparedColumn(right, place)]
  // `name = "x"`: the quoted side is the one that may be text.
  visit(left, { ...place, comparedTo: rightColumn?.mayBeText === true ? null : rightColumn })
  visit(right, { ...place, comparedTo: leftColumn })
}

/** The column on one side of a comparison, also inside a cast or `lower(...)`. */
const comparedColumn = (expression: Expression, place: Place): ColumnUse | null => {
  if (expression.kind === 'column') return columnUse(expression, place)
  if (expression.kind === 'paren' || (expression.kind === 'cast' && !expression.lenient))
    return comparedColumn(expression.operand, place)
  if (expression.kind !== 'call' || passesComparison(expression) !== 'first') return null
  const [first] = expression.inputs
  return first === undefined ? null : comparedColumn(first, place)
}

const readIn = (expression: Extract<Expression, { kind: 'in' }>, place: Place): void => {
  const apart = withoutComparison(place)
  const { operand, among, bare, details } = expression
  visit(operand, apart)
  visitAll(details, apart)
  if ('kind' in among) {
    readQuery(among, apart)
    return
  }
  const [table] = among
  // `a IN t` reads the table t in SQLite and DuckDB's lists are columns too; a table is what must not be missed.
  if (bare && table?.kind === 'column') readTableAfterIn(table, place)
  else visitAll(among, { ...place, comparedTo: comparedColumn(operand, place) })
}

const readTableAfterIn = ({ qualifier: schema, name }: ColumnName, place: Place): void => {
  const scope = makeScope(place.scope)
  place.scopes.push(scope)
  if (schema === null && isQuery(name, place)) return
  scope.sources.push({ kind: 'table', catalog: null, schema, name, alias: null })
  scope.columns.push({ ...plainUse, qualifier: null, column: '*' })
}

/** `a.b.c` is schema, table and column if such a table is in sight, else a field of column `a.b`. */
const readField = ({ operand, name }: Extract<Expression, { kind: 'field' }>, place: Place): void => {
  const { sources, columns } = place.scope
  const isTable =
    operand.kind === 'column' &&
    sources.some(
      source => source.alias === null && source.name === operand.name && source.schema === operand.qualifier,
    )
  if (isTable) columns.push({ ...plainUse, qualifier: operand.name, column: name })
  else visit(operand, place)
}
