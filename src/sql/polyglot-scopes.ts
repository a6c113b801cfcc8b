import {
  type ColumnUse,
  type ExpressionContext,
  makeScope,
  type QueryScope,
  valueKeepingFunctions,
} from './query-scope.ts'
import { isNode, listOf, nodeOf, type SqlTree, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** Every SELECT of a polyglot tree as a scope, outermost first. */
export const polyglotScopes = (tree: SqlTree): readonly QueryScope[] => {
  const walk: ScopeWalk = { scopes: [], characters: tree.dialect === 'sqlite' ? [...tree.read] : [] }
  for (const statement of tree.statements) {
    const scope = makeScope(null)
    walk.scopes.push(scope)
    visit(statement, { scope, ctes: new Set(), mayBeOutput: false, comparedTo: null }, walk)
  }
  return walk.scopes
}

interface ScopeWalk {
  readonly scopes: QueryScope[]
  /** The text in code points, which is what polyglot counts; empty but for SQLite. */
  readonly characters: readonly string[]
}

type Visit = (node: TreeNode, place: ExpressionContext, walk: ScopeWalk) => void

const visit = (value: TreeValue | undefined, place: ExpressionContext, walk: ScopeWalk): void => {
  if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item, place, walk)
  if (!isNode(value)) return
  const entries = Object.entries(value)
  // A node of the tree is an object whose one key names its kind; all others are plain structures.
  const reader = entries.length === 1 ? readers[(entries[0] as [string, unknown])[0]] : undefined
  for (const [key, child] of entries) {
    if (reader !== undefined && isNode(child)) reader(child, place, walk)
    else visit(child, passesComparison.has(key) ? place : withoutComparison(place), walk)
  }
}

const withoutComparison = (place: ExpressionContext): ExpressionContext =>
  place.comparedTo === null ? place : { ...place, comparedTo: null }

/** Kinds through which a comparison reaches the literal behind them. */
const passesComparison = new Set([
  'paren',
  'cast',
  'tuple',
  'array',
  'this',
  'expressions',
  ...valueKeepingFunctions,
])

const readSelect: Visit = (select, place, walk) => {
  const ctes = withCtes(select, place, walk)
  const scope = makeScope(place.scope)
  walk.scopes.push(scope)
  const here: ExpressionContext = { scope, ctes, mayBeOutput: false, comparedTo: null }
  for (const item of listOf(nodeOf(select.from)?.expressions)) readSource(nodeOf(item), here, walk)
  for (const item of listOf(select.joins)) readJoin(nodeOf(item), here, walk)
  for (const item of listOf(select.expressions)) {
    const output = nodeOf(nodeOf(item)?.alias)
    const name = identifier(output?.alias)
    if (name !== null) scope.outputs.add(name.toLowerCase())
    visit(output === null ? item : output.this, here, walk)
  }
  const { from: _from, joins: _joins, expressions: _outputs, with: _with, ...rest } = select
  for (const [clause, value] of Object.entries(rest))
    visit(value, { ...here, mayBeOutput: /^(?:order_by|group_by|having|qualify)$/.test(clause) }, walk)
}

const readSetOperation: Visit = (node, place, walk) => {
  const inside = { ...place, ctes: withCtes(node, place, walk) }
  // ORDER BY after a set operation names results, never columns.
  for (const part of [node.left, node.right, node.limit, node.offset]) visit(part, inside, walk)
}

const withCtes = (query: TreeNode, place: ExpressionContext, walk: ScopeWalk): ReadonlySet<string> => {
  const clause = nodeOf(query.with)
  if (clause === null) return place.ctes
  const seen = new Set(place.ctes)
  const ctes = listOf(clause.ctes).map(nodeOf)
  const names = ctes.map(cte => identifier(cte?.alias)?.toLowerCase() ?? '')
  if (clause.recursive === true) for (const name of names) seen.add(name)
  ctes.forEach((cte, index) => {
    visit(cte?.this, { ...place, ctes: new Set(seen) }, walk)
    seen.add(names[index] as string)
  })
  return seen
}

const readJoin = (join: TreeNode | null, place: ExpressionContext, walk: ScopeWalk): void => {
  if (join === null) return
  const left = place.scope.sources.at(-1)
  readSource(nodeOf(join.this), place, walk)
  const right = place.scope.sources.at(-1)
  for (const item of listOf(join.using)) {
    // `USING (a)` names a column of both sides.
    for (const side of [left, right])
      place.scope.columns.push({
        ...plainUse,
        qualifier: side?.alias ?? side?.name ?? null,
        column: identifier(item) ?? '',
      })
  }
  visit(join.on, place, walk)
}

const plainUse = { mayBeText: false, mayBeOutput: false }

const readSource = (item: TreeNode | null, place: ExpressionContext, walk: ScopeWalk): void => {
  const [kind, body] = Object.entries(item ?? {})[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return
  const { sources } = place.scope
  const alias = identifier(node.alias)
  if (kind === 'table') {
    const name = identifier(node.name)
    const schema = identifier(node.schema)
    const catalog = identifier(node.catalog)
    const isCte = schema === null && name !== null && place.ctes.has(name.toLowerCase())
    sources.push({ kind: isCte ? 'derived' : 'table', catalog, schema, name, alias })
  } else if (kind === 'joined_table') {
    readSource(nodeOf(node.left), place, walk)
    for (const join of listOf(node.joins)) readJoin(nodeOf(join), place, walk)
  } else if (kind === 'paren' || kind === 'pivot' || kind === 'unpivot' || kind === 'table_sample') {
    const { this: inner, ...rest } = node
    readSource(nodeOf(inner), place, walk)
    visit(rest, place, walk)
  } else if (kind === 'alias' || (kind === 'subquery' && bracketed.has(kindOf(node.this)))) {
    // `FROM ('pets') x`: no subquery, but a table in brackets.
    const before = sources.length
    readSource(nodeOf(node.this), place, walk)
    const named = sources.length === before + 1 ? sources.pop() : undefined
    if (named !== undefined) sources.push({ ...named, alias: alias ?? named.alias })
  } else if (kind === 'literal' || kind === 'column') {
    // `FROM ('pets')` and `FROM (pets)`: in brackets polyglot no longer sees that these are tables.
    const [schema, name] =
      kind === 'literal' ? [null, textOf(node.value)] : [identifier(node.table), identifier(node.name)]
    sources.push({ kind: 'table', catalog: null, schema, name, alias: null })
  } else {
    const name = kind === 'function' ? textOf(node.name) : null
    sources.push({ kind: 'derived', catalog: null, schema: null, name: alias ?? name, alias })
    visit(item, place, walk)
  }
}

const kindOf = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''

const bracketed = new Set(['literal', 'column', 'alias', 'table', 'paren', 'joined_table'])

const readColumn: Visit = (node, place, walk) => {
  const use = columnUse(node, place, walk)
  place.scope.columns.push(use)
  if (!use.mayBeText) return
  place.scope.literals.push({
    value: use.column,
    kind: 'text',
    comparedTo: place.comparedTo,
    mayBeColumn: true,
  })
}

const columnUse = (node: TreeNode, place: ExpressionContext, { characters }: ScopeWalk): ColumnUse => {
  const qualifier = identifier(node.table)
  const start = nodeOf(nodeOf(node.name)?.span)?.start
  return {
    qualifier,
    column: identifier(node.name) ?? '',
    mayBeText: qualifier === null && typeof start === 'number' && characters[start] === '"',
    mayBeOutput: place.mayBeOutput,
  }
}

const readStar: Visit = (node, place, walk) => {
  place.scope.columns.push({ ...plainUse, qualifier: identifier(node.table), column: '*' })
  visit(node.replace, place, walk)
}

/** `a.b.c` is schema, table and column where such a table is in sight, else a field of column `a.b`. */
const readDot: Visit = (node, place, walk) => {
  const inner = nodeOf(nodeOf(node.this)?.column)
  const table = identifier(inner?.name)
  const known = place.scope.sources.some(
    source => source.alias === null && source.name === table && source.schema === identifier(inner?.table),
  )
  if (!known) return visit(node.this, place, walk)
  place.scope.columns.push({ ...plainUse, qualifier: table, column: identifier(node.field) ?? '' })
}

const readLiteral: Visit = (node, { scope, comparedTo }) => {
  const value = textOf(node.value) ?? ''
  const kind = node.literal_type === 'number' ? 'number' : 'text'
  scope.literals.push({ value, kind, comparedTo, mayBeColumn: false })
}

const readNegative: Visit = (node, place, walk) => {
  const number = nodeOf(nodeOf(node.this)?.literal)
  if (number === null) visit(node.this, withoutComparison(place), walk)
  else readLiteral({ ...number, value: `-${textOf(number.value) ?? ''}` }, place, walk)
}

const readComparison: Visit = (node, place, walk) => {
  const left = comparedColumn(node.left, place, walk)
  const right = comparedColumn(node.right, place, walk)
  // `name = "x"`: the quoted side is the one that may be text.
  visit(node.left, { ...place, comparedTo: right?.mayBeText === true ? null : right }, walk)
  visit(node.right, { ...place, comparedTo: left }, walk)
}

const readRange: Visit = (node, place, walk) => {
  visit(node.this, withoutComparison(place), walk)
  const comparedTo = comparedColumn(node.this, place, walk)
  for (const bound of [node.low, node.high]) visit(bound, { ...place, comparedTo }, walk)
}

const readIn: Visit = (node, place, walk) => {
  visit(node.this, withoutComparison(place), walk)
  visit(node.query, withoutComparison(place), walk)
  visit(node.unnest, withoutComparison(place), walk)
  const [field] = listOf(node.expressions)
  const column = node.is_field === true ? nodeOf(nodeOf(field)?.column) : null
  // `a IN t` reads the table t in SQLite and DuckDB's lists are columns too; a table is what must not be missed.
  if (column !== null) readTableAfterIn(column, place, walk)
  else visit(node.expressions, { ...place, comparedTo: comparedColumn(node.this, place, walk) }, walk)
}

const readTableAfterIn = (column: TreeNode, place: ExpressionContext, { scopes }: ScopeWalk): void => {
  const schema = identifier(column.table)
  const name = identifier(column.name)
  const scope = makeScope(place.scope)
  scopes.push(scope)
  if (schema === null && name !== null && place.ctes.has(name.toLowerCase())) return
  scope.sources.push({ kind: 'table', catalog: null, schema, name, alias: null })
  scope.columns.push({ ...plainUse, qualifier: null, column: '*' })
}

/** The column on one side of a comparison, also inside a cast or `lower(...)`. */
const comparedColumn = (
  value: TreeValue | undefined,
  place: ExpressionContext,
  walk: ScopeWalk,
): ColumnUse | null => {
  const [kind, body] = Object.entries(nodeOf(value) ?? {})[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return null
  if (kind === 'column') return columnUse(node, place, walk)
  return passesComparison.has(kind) ? comparedColumn(node.this, place, walk) : null
}

const identifier = (value: TreeValue | undefined): string | null => textOf(nodeOf(value)?.name)

const readers: Readonly<Record<string, Visit>> = {
  select: readSelect,
  union: readSetOperation,
  intersect: readSetOperation,
  except: readSetOperation,
  column: readColumn,
  star: readStar,
  dot: readDot,
  literal: readLiteral,
  neg: readNegative,
  between: readRange,
  in: readIn,
  ...Object.fromEntries(
    ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'like', 'i_like', 'glob', 'is', 'null_safe_eq', 'match'].map(
      kind => [kind, readComparison] as const,
    ),
  ),
}
