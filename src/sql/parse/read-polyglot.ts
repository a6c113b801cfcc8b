import {
  type CommonTable,
  type Expression,
  emptySelect,
  type Frame,
  type Ordering,
  type Output,
  type QueryTree,
  type SelectTree,
  unclearQuery,
} from '../tree/query-tree.ts'
import { isTagged, nameOf, namesOf, nodeKind, type PolyglotReader } from './polyglot-node.ts'
import { makePolyglotExpression } from './read-polyglot-expression.ts'
import { makePolyglotSources } from './read-polyglot-source.ts'
import { isNode, keepOrigin, listOf, nodeOf, type TreeNode, type TreeValue } from './sql-tree.ts'

/** Reads a statement of polyglot. `text` is what polyglot read if `"x"` may be a text in the dialect, else null. */
export const readPolyglot = (statement: TreeNode, text: string | null): Expression => {
  const reader = makePolyglotReader(text)
  const query = reader.query(statement)
  return query === null ? reader.expression(statement) : { kind: 'subquery', query }
}

const makePolyglotReader = (text: string | null): PolyglotReader => {
  const query = (value: TreeValue | undefined): QueryTree | null => {
    const kind = nodeKind(value)
    const node = nodeOf(nodeOf(value)?.[kind])
    if (node === null) return null
    switch (kind) {
      case 'select':
        return readSelect(node)
      case 'union':
      case 'intersect':
      case 'except':
        return {
          kind: 'set',
          operator: kind,
          all: node.all === true,
          left: queryOrUnclear(node.left),
          right: queryOrUnclear(node.right),
          ...frameOf(node, setParts),
          brackets: [],
        }
      case 'values':
        return {
          ...emptySelect,
          rows: listOf(node.expressions).map(row => ({ kind: 'group', parts: rest(row) })),
          ...frameOf(node, valuesParts),
        }
      case 'subquery':
      case 'paren': {
        const inner = query(node.this)
        if (inner === null) return null
        const frame = frameOf(node, bracketParts)
        return isEmptyFrame(frame) ? inner : { ...inner, brackets: [...inner.brackets, frame] }
      }
      default:
        return null
    }
  }

  const queryOrUnclear = (value: TreeValue | undefined): QueryTree =>
    query(value) ?? unclearQuery('a query that is none', rest(value))

  const frameOf = (node: TreeNode, except: ReadonlySet<string>): Frame => {
    const clause = nodeOf(node.with)
    const limits = [node.limit, nodeOf(node.fetch)?.count, node.top].map(bound).filter(one => one !== null)
    return {
      ctes: listOf(clause?.ctes).map((item): CommonTable => {
        const cte = nodeOf(item)
        const common: CommonTable = {
          name: nameOf(cte?.alias) ?? '',
          ...(cte?.alias_first !== true && { isValue: true as const }),
          renamed: namesOf(cte?.columns),
          query: queryOrUnclear(cte?.this),
        }
        return cte === null ? common : keepOrigin(common, cte)
      }),
      recursive: clause?.recursive === true,
      orderBy: orderBy(node.order_by),
      limit: limits[0] ?? null,
      offset: bound(node.offset),
      details: [...rest(node, except), ...limits.slice(1)],
    }
  }

  /** `limit` holds its number at once under a set operation, and one deeper under a SELECT. */
  const bound = (value: TreeValue | undefined): Expression | null => {
    const node = nodeOf(value)
    return node === null ? null : expression(node.this === undefined ? node : node.this)
  }

  const orderBy = (clause: TreeValue | undefined): readonly Ordering[] =>
    listOf(nodeOf(clause)?.expressions ?? clause).map(item => ({
      expression: expression(nodeOf(item)?.this),
      direction: nodeOf(item)?.desc === true ? 'desc' : 'asc',
      details: rest(item, onlyThis),
    }))

  const readSelect = (node: TreeNode): SelectTree => {
    const condition = (clause: TreeValue | undefined): Expression | null => {
      const inner = nodeOf(clause)?.this
      return inner === undefined || inner === null ? null : expression(inner)
    }
    const grouping = nodeOf(node.group_by)
    const frame = frameOf(node, selectParts)
    const lateral = listOf(node.lateral_views)
    return {
      kind: 'select',
      distinct: node.distinct === true || isNode(node.distinct_on),
      outputs: listOf(node.expressions).map(readOutput),
      from: sources.readFrom(node),
      where: condition(node.where_clause),
      groupBy: listOf(grouping?.expressions).map(expression),
      groupByAll: grouping?.all === true,
      having: condition(node.having),
      qualify: condition(node.qualify),
      rows: null,
      ...frame,
      details: [
        ...frame.details,
        ...rest(grouping ?? undefined, onlyExpressions),
        ...(lateral.length === 0
          ? []
          : [{ kind: 'unclear', what: 'a lateral view', parts: rest(lateral) } as const]),
      ],
      brackets: [],
    }
  }

  const readOutput = (item: TreeValue): Output => {
    const labelled = nodeOf(nodeOf(item)?.alias)
    return {
      expression: expression(labelled === null ? item : labelled.this),
      alias: nameOf(labelled?.alias),
    }
  }

  const rest = (value: TreeValue | undefined, except?: ReadonlySet<string>): readonly Expression[] => {
    if (Array.isArray(value)) return (value as readonly TreeValue[]).flatMap(item => rest(item))
    if (!isNode(value)) return []
    const entries = Object.entries(value)
    if (except === undefined && isTagged(value)) return [expression(value)]
    const parts = entries.flatMap(([key, child]) => (except?.has(key) === true ? [] : rest(child)))
    return except !== undefined || parts.length < 2 ? parts : [{ kind: 'group', parts }]
  }

  const expression = (value: TreeValue | undefined): Expression => readExpression(value)
  const reader: PolyglotReader = { query, expression, rest, orderBy }
  const sources = makePolyglotSources(reader)
  const readExpression = makePolyglotExpression(reader, text === null ? [] : [...text])
  return reader
}

const isEmptyFrame = ({ ctes, orderBy, limit, offset, details }: Frame): boolean =>
  ctes.length + orderBy.length + details.length === 0 && limit === null && offset === null

const frameParts = ['with', 'order_by', 'limit', 'fetch', 'top', 'offset'] as const

const setParts: ReadonlySet<string> = new Set([...frameParts, 'left', 'right'])

const valuesParts: ReadonlySet<string> = new Set([...frameParts, 'expressions', 'alias', 'column_aliases'])

const bracketParts: ReadonlySet<string> = new Set([...frameParts, 'this', 'alias', 'column_aliases'])

const selectParts: ReadonlySet<string> = new Set([
  ...frameParts,
  'expressions',
  'from',
  'joins',
  'where_clause',
  'group_by',
  'having',
  'qualify',
  'lateral_views',
])

const onlyThis: ReadonlySet<string> = new Set(['this'])

const onlyExpressions: ReadonlySet<string> = new Set(['expressions'])
