import {
  type Aggregate,
  aggregateNames,
  type Comparison,
  countComparison,
  emptyTerm,
  makeShapeParts,
  negated,
  type ShapeParts,
  type TermParts,
} from './shape-parts.ts'
import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** The parts of a polyglot statement, or null for anything but a query. */
export const polyglotShape = (statement: TreeNode): ShapeParts | null => {
  const parts = makeShapeParts()
  if (!readOutermost(statement, parts)) return null
  count(statement, parts, false)
  return parts
}

const kindOf = (value: TreeValue | undefined): readonly [string, TreeNode] | null => {
  const node = nodeOf(value)
  if (node === null) return null
  for (const kind in node) {
    const body = nodeOf(node[kind])
    return body === null ? null : [kind, body]
  }
  return null
}

const wrappers = new Set(['subquery', 'paren', 'annotated'])
const operations = new Set(['union', 'intersect', 'except'])

const readOutermost = (value: TreeValue | undefined, parts: ShapeParts): boolean => {
  const [kind, node] = kindOf(value) ?? ['', null]
  if (node === null) return false
  // What stands around brackets or arms orders and cuts the whole; what is inside has been overruled.
  const around = (): void => {
    const order = readOrder(node)
    if (order.length > 0) parts.orderBy = order
    parts.limit = limitOf(node) ?? parts.limit
  }
  if (wrappers.has(kind)) {
    const isQuery = readOutermost(node.this, parts)
    around()
    return isQuery
  }
  if (operations.has(kind)) {
    const isQuery = readOutermost(node.left, parts)
    parts.setOperation = kind as 'union' | 'intersect' | 'except'
    parts.arms += armsOf(node.right)
    around()
    return isQuery
  }
  if (kind !== 'select') return false
  readSelect(node, parts)
  return true
}

const armsOf = (value: TreeValue | undefined): number => {
  const [kind, node] = kindOf(value) ?? ['', null]
  if (node !== null && operations.has(kind)) return armsOf(node.left) + armsOf(node.right)
  return node !== null && wrappers.has(kind) ? armsOf(node.this) : 1
}

const readSelect = (select: TreeNode, parts: ShapeParts): void => {
  parts.distinct = select.distinct === true || nodeOf(select.distinct_on) !== null
  for (const item of listOf(select.expressions)) {
    const output = nodeOf(nodeOf(item)?.alias)
    parts.items.push({ term: termOf(output?.this ?? item), alias: identifier(output?.alias) })
  }
  for (const item of listOf(nodeOf(select.from)?.expressions)) readSource(item, parts)
  for (const item of listOf(select.joins)) {
    const join = nodeOf(item)
    if (/left|right|full/i.test(textOf(join?.kind) ?? '')) parts.outerJoins += 1
    readSource(join?.this, parts)
  }
  parts.groupBy = listOf(nodeOf(select.group_by)?.expressions).map(termOf)
  const having = nodeOf(select.having)?.this
  parts.having = having === undefined ? null : termOf(having)
  parts.orderBy = readOrder(select)
  parts.limit = limitOf(select)
}

const readSource = (value: TreeValue | undefined, parts: ShapeParts): void => {
  const [kind, node] = kindOf(value) ?? ['', null]
  if (node === null) return
  const alias = identifier(node.alias)
  if (kind === 'table') parts.sources.push({ name: identifier(node.name), alias })
  else if (kind === 'joined_table') {
    readSource(node.left, parts)
    for (const join of listOf(node.joins)) readSource(nodeOf(join)?.this, parts)
  } else if (kind === 'paren') readSource(node.this, parts)
  else parts.sources.push({ name: null, alias })
}

const readOrder = (node: TreeNode): ShapeParts['orderBy'] =>
  listOf(nodeOf(node.order_by)?.expressions).map(item => ({
    term: termOf(nodeOf(item)?.this),
    descending: nodeOf(item)?.desc === true,
  }))

const limitOf = (node: TreeNode): number | null => {
  const cut = nodeOf(node.limit) ?? nodeOf(node.fetch) ?? nodeOf(node.top)
  if (cut === null) return null
  const literal = nodeOf((nodeOf(cut.this ?? cut.count) ?? cut).literal)
  return literal?.literal_type === 'number' ? Number(textOf(literal.value)) : null
}

const termOf = (value: TreeValue | undefined): TermParts => {
  const [kind, node] = kindOf(value) ?? ['', null]
  if (node === null) return emptyTerm
  if (kind === 'literal' && node.literal_type === 'number')
    return { ...emptyTerm, ordinal: Number(textOf(node.value)) }
  const term = firstTerm(value) ?? emptyTerm
  return { ...term, plain: kind === 'column' || kind === 'star' || aggregateNames.has(kind) }
}

/** The first aggregate, else the first column, from left to right; what is in a subquery is not of this term. */
const firstTerm = (value: TreeValue | undefined): TermParts | null => {
  if (Array.isArray(value)) return best((value as readonly TreeValue[]).map(firstTerm))
  if (!isNode(value)) return null
  const [kind, node] = kindOf(value) ?? ['', null]
  if (node !== null) {
    if (kind === 'select' || operations.has(kind)) return null
    if (kind === 'column')
      return { ...emptyTerm, qualifier: identifier(node.table), column: identifier(node.name) }
    if (kind === 'star') return { ...emptyTerm, qualifier: identifier(node.table), star: true }
    if (aggregateNames.has(kind)) {
      const inside = firstTerm(node.this)
      return {
        ...(inside ?? emptyTerm),
        aggregate: kind as Aggregate,
        distinct: node.distinct === true,
        star: node.star === true || inside?.star === true,
      }
    }
  }
  return best(Object.values(value).map(firstTerm))
}

const best = (terms: readonly (TermParts | null)[]): TermParts | null =>
  terms.find(term => term !== null && term.aggregate !== null) ?? terms.find(term => term !== null) ?? null

const comparisonOf: Readonly<Record<string, Comparison>> = {
  eq: 'equal',
  null_safe_eq: 'equal',
  neq: 'unequal',
  lt: 'less',
  lte: 'less',
  gt: 'greater',
  gte: 'greater',
  like: 'like',
  i_like: 'like',
  glob: 'like',
  between: 'between',
  in: 'in-list',
  exists: 'exists',
  is_null: 'null',
  is: 'null',
}

/** Counts what stands anywhere in the statement. `isNegated` holds for the node right under a NOT. */
const count = (value: TreeValue | undefined, parts: ShapeParts, isNegated: boolean): void => {
  if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) count(item, parts, false)
  if (!isNode(value)) return
  for (const key in value) {
    const node = nodeOf(value[key])
    if (node === null) {
      count(value[key], parts, false)
      continue
    }
    if (key === 'select') parts.selects += 1
    else if (key === 'and') parts.ands += 1
    else if (key === 'or') parts.ors += 1
    else if (key === 'table' && nodeOf(node.name) !== null) parts.tables.push(identifier(node.name) ?? '')
    else if (key === 'with')
      for (const cte of listOf(node.ctes))
        parts.ctes.add((identifier(nodeOf(cte)?.alias) ?? '').toLowerCase())
    const plain = comparisonOf[key]
    if (plain !== undefined && !joins(node)) {
      const kind = key === 'in' && nodeOf(node.query) !== null ? 'in-query' : plain
      countComparison(parts, isNegated !== (node.not === true) ? negated(kind) : kind)
    }
    count(node, parts, key === 'not' || (isNegated && (key === 'paren' || key === 'this')))
  }
}

/** `a.id = b.id` ties tables together, it compares nothing to what was asked. */
const joins = ({ left, right }: TreeNode): boolean =>
  kindOf(left)?.[0] === 'column' && kindOf(right)?.[0] === 'column'

const identifier = (value: TreeValue | undefined): string | null => textOf(nodeOf(value)?.name)
