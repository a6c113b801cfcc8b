import type { ParseDialect } from '../../domain/sql.ts'
import { maxSqlLength, maxStatementDepth, statementDepth } from '../parse-sql.ts'
import { parsePolyglot } from '../polyglot-parser.ts'
import { sqlTokens } from '../sql-tokens.ts'
import { listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../sql-tree.ts'
import {
  makeReadExpression,
  type OutlineScope,
  type ReadQuery,
  type TablesWith,
} from './outline-expression.ts'
import type { OrderOutline, OutlineExpression, QueryOutline, SourceOutline } from './query-outline.ts'

/**
 * The outline of a text with one query; null when it cannot be read. `tablesWith` says which tables have a column,
 * for columns that are named without one. For comparing and describing only: no guard looks at it, so that polyglot
 * reads Postgres's texts too, and one reader serves all dialects.
 */
export const outlineSql = (
  sql: string,
  dialect: ParseDialect,
  tablesWith: TablesWith = () => [],
): QueryOutline | null => {
  if (sql.length > maxSqlLength) return null
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok || statementDepth(cut.tokens) > maxStatementDepth) return null
  const parsed = parsePolyglot(sql, dialect)
  const [statement, second] = parsed.ok ? parsed.statements : []
  if (statement === undefined || second !== undefined) return null
  const read = makeReadQuery(dialect)
  return read(statement, { tables: new Map(), outer: null, tablesWith })
}

const makeReadQuery = (dialect: ParseDialect): ReadQuery => {
  const readQuery: ReadQuery = (node, outer) => {
    const [kind, body] = Object.entries(node)[0] ?? []
    const inside = nodeOf(body)
    if (inside === null) return null
    switch (kind) {
      case 'select':
        return readSelect(inside, outer)
      case 'union':
      case 'intersect':
      case 'except':
        return readSet(kind, inside, outer)
      case 'subquery':
      case 'paren':
        return readQuery(nodeOf(inside.this) ?? {}, outer)
      default:
        return null
    }
  }
  const readExpression = makeReadExpression({ dialect, readQuery })

  const readSelect = (select: TreeNode, outer: OutlineScope): QueryOutline => {
    const joins = listOf(select.joins).map(join => nodeOf(join) ?? {})
    const first = listOf(nodeOf(select.from)?.expressions).map(item => ({
      item: nodeOf(item) ?? {},
      join: 'inner' as const,
    }))
    const joined = joins.map(join => ({ item: nodeOf(join.this) ?? {}, join: joinKind(join) }))
    const named = [...first, ...joined].map(({ item, join }) => readSource(item, join, outer))
    const scope: OutlineScope = {
      ...outer,
      tables: new Map(named.map(({ name, source }, at) => [name ?? `#${at}`, source.table])),
      outer,
    }
    const read = (value: TreeValue | undefined): OutlineExpression => readExpression(value, scope)
    const where = [
      ...conjuncts(select.where_clause, read),
      ...joins.flatMap(join => (join.on === null || join.on === undefined ? [] : parts(read(join.on)))),
    ]
    const outputs = listOf(select.expressions).map(read)
    const byAlias = new Map(
      listOf(select.expressions).flatMap((item, at) => {
        const alias = nameOf(nodeOf(nodeOf(item)?.alias)?.alias)
        const output = outputs[at]
        return alias === null || output === undefined ? [] : [[alias, output] as const]
      }),
    )
    const resolve = (expression: OutlineExpression): OutlineExpression =>
      byOutput(expression, { outputs, byAlias, tablesWith: scope.tablesWith })
    return {
      kind: 'select',
      distinct: select.distinct === true,
      outputs,
      sources: named.map(({ source }) => source),
      links: where.filter(isJoinCondition),
      conditions: where.filter(condition => !isJoinCondition(condition)),
      groupBy: listOf(nodeOf(select.group_by)?.expressions).map(item => resolve(read(item))),
      having: conjuncts(select.having, read).map(condition =>
        condition.kind === 'comparison' ? { ...condition, left: resolve(condition.left) } : condition,
      ),
      orderBy: readOrder(select.order_by, read).map(order => ({
        ...order,
        expression: resolve(order.expression),
      })),
      limit: limitOf(select.limit),
    }
  }

  const readSet = (
    operator: 'union' | 'intersect' | 'except',
    node: TreeNode,
    outer: OutlineScope,
  ): QueryOutline | null => {
    const left = readQuery(nodeOf(node.left) ?? {}, outer)
    const right = readQuery(nodeOf(node.right) ?? {}, outer)
    if (left === null || right === null) return null
    const read = (value: TreeValue | undefined): OutlineExpression => readExpression(value, outer)
    return {
      kind: 'set',
      operator,
      left,
      right,
      orderBy: readOrder(node.order_by, read),
      limit: limitOf(node.limit),
    }
  }

  const readSource = (
    item: TreeNode,
    join: SourceOutline['join'],
    outer: OutlineScope,
  ): { readonly name: string | null; readonly source: SourceOutline } => {
    const table = nodeOf(item.table)
    if (table !== null) {
      const name = nameOf(table.name)
      return { name: nameOf(table.alias) ?? name, source: { table: name, query: null, join } }
    }
    const query = readQuery(item, outer)
    return { name: nameOf(nodeOf(item.subquery)?.alias), source: { table: null, query, join } }
  }
  return readQuery
}

const joinKind = (join: TreeNode): SourceOutline['join'] =>
  /left|right|full/i.test(textOf(join.kind) ?? '') ? 'outer' : 'inner'

const conjuncts = (
  clause: TreeValue | undefined,
  read: (value: TreeValue | undefined) => OutlineExpression,
): readonly OutlineExpression[] => {
  const condition = nodeOf(clause)?.this
  return condition === undefined || condition === null ? [] : parts(read(condition))
}

const parts = (expression: OutlineExpression): readonly OutlineExpression[] =>
  expression.kind === 'logic' && expression.operator === 'and'
    ? expression.parts.flatMap(parts)
    : [expression]

const isJoinCondition = (condition: OutlineExpression): boolean =>
  condition.kind === 'comparison' &&
  condition.operator === '=' &&
  condition.left.kind === 'column' &&
  condition.right[0]?.kind === 'column'

const readOrder = (
  clause: TreeValue | undefined,
  read: (value: TreeValue | undefined) => OutlineExpression,
): readonly OrderOutline[] =>
  listOf(nodeOf(clause)?.expressions).map(item => {
    const key = nodeOf(item)
    return { expression: read(key?.this), descending: key?.desc === true }
  })

/** A place in the SELECT list (`ORDER BY 2`) or a name given there means what stands there. */
const byOutput = (
  expression: OutlineExpression,
  known: {
    readonly outputs: readonly OutlineExpression[]
    readonly byAlias: ReadonlyMap<string, OutlineExpression>
    readonly tablesWith: TablesWith
  },
): OutlineExpression => {
  if (expression.kind === 'value' && expression.type === 'number')
    return known.outputs[Number(expression.value) - 1] ?? expression
  const isName = expression.kind === 'column' && known.tablesWith(expression.column).length === 0
  return isName ? (known.byAlias.get(expression.column) ?? expression) : expression
}

/** `limit` holds its literal directly after a set operation, and one deeper after a SELECT. */
const limitOf = (limit: TreeValue | undefined): string | null => {
  const node = nodeOf(limit)
  if (node === null) return null
  const literal = nodeOf(node.literal) ?? nodeOf(nodeOf(node.this)?.literal)
  return textOf(literal?.value) ?? 'some'
}

const nameOf = (value: TreeValue | undefined): string | null =>
  textOf(nodeOf(value)?.name)?.toLowerCase() ?? null
