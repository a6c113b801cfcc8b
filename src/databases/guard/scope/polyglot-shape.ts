import type { Dialect } from '../../../core/dialect.ts'
import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../../../sql/sql-tree.ts'
import { foldName } from './fold-name.ts'
import { makePolyglotExpressions } from './polyglot-expressions.ts'
import { nodeKind, queryKinds } from './polyglot-kind-of.ts'
import { makePolyglotSources } from './polyglot-sources.ts'
import { type ExpressionShape, group, type OutputShape, type QueryShape } from './query-shape.ts'

/** The shape of a polyglot tree, and how often each name was found in a place that is understood. */
export const polyglotShape = (
  tree: SqlTree,
  dialect: Dialect,
): { readonly query: QueryShape; readonly placed: ReadonlyMap<string, number> } => {
  const reader = makePolyglotReader(tree, dialect)
  return { query: reader.readQuery(tree.statements[0]), placed: reader.placed }
}

const makePolyglotReader = (tree: SqlTree, dialect: Dialect) => {
  const placed = new Map<string, number>()

  const name = (value: TreeValue | undefined): string | null => {
    const text = textOf(value) ?? textOf(nodeOf(value)?.name)
    if (text === null) return null
    const folded = foldName(text, dialect)
    placed.set(folded, (placed.get(folded) ?? 0) + 1)
    return folded
  }
  const names = (list: TreeValue | undefined): readonly string[] =>
    listOf(list).map(item => name(nodeOf(item)?.identifier ?? item) ?? '')

  const readQuery = (value: TreeValue | undefined): QueryShape => {
    const kind = nodeKind(value)
    const node = nodeOf(nodeOf(value)?.[kind])
    if (node === null || !queryKinds.has(kind)) throw new Error('a query that is none')
    const clause = nodeOf(node.with)
    const ctes = listOf(clause?.ctes).map(item => {
      const cte = nodeOf(item)
      return { name: name(cte?.alias) ?? '', renamed: names(cte?.columns), query: readQuery(cte?.this) }
    })
    const shape = { ctes, recursive: clause?.recursive === true }
    switch (kind) {
      case 'select':
        return { ...shape, body: readSelect(node), tail: [] }
      case 'values': {
        const { with: _with, alias: _alias, ...rest } = node
        return { ...shape, body: { kind: 'values', parts: [read(rest)] }, tail: [] }
      }
      case 'subquery':
      case 'paren': {
        const { with: _with, this: inner, alias: _alias, column_aliases: _columns, ...rest } = node
        const query = readQuery(inner)
        return ctes.length === 0
          ? { ...query, tail: [...query.tail, read(rest)] }
          : { ...shape, body: wrapped(query), tail: [read(rest)] }
      }
      default: {
        const { with: _with, left, right, ...rest } = node
        return {
          ...shape,
          body: { kind: 'set', left: readQuery(left), right: readQuery(right) },
          tail: [read(rest)],
        }
      }
    }
  }

  const readSelect = (node: TreeNode): QueryShape['body'] => {
    const { from, joins, expressions, where_clause, with: _with, lateral_views, ...rest } = node
    if (listOf(lateral_views).length > 0) throw new Error('a lateral view')
    const sources = listOf(nodeOf(from)?.expressions).map(readSource)
    const joined = readJoins(sources.pop(), listOf(joins))
    return {
      kind: 'select',
      from: joined === undefined ? sources : [...sources, joined],
      outputs: listOf(expressions).map(readOutput),
      where: [read(nodeOf(where_clause)?.this)],
      rest: [read(rest)],
    }
  }

  const readOutput = (item: TreeValue): OutputShape => {
    const alias = nodeOf(nodeOf(item)?.alias)
    const expression = read(alias === null ? item : alias.this)
    const given = alias === null ? null : name(alias.alias)
    const own = expression.kind === 'name' ? (expression.parts.at(-1) ?? null) : null
    return { name: alias === null ? own : given, isAlias: alias !== null, expression }
  }

  const read = (value: TreeValue | undefined): ExpressionShape => {
    if (Array.isArray(value)) return group((value as readonly TreeValue[]).map(read))
    if (!isNode(value)) return group([])
    const entries = Object.entries(value)
    const [kind = '', body] = entries[0] ?? []
    const reader = entries.length === 1 && isNode(body) ? readers[kind] : undefined
    if (reader !== undefined) return reader(body as TreeNode)
    return group(entries.map(([, child]) => read(child)))
  }

  const reader = { dialect, name, names, read, readQuery }
  const { readSource, readJoins } = makePolyglotSources(reader)
  const readers = makePolyglotExpressions(reader, tree.read)

  return { placed, readQuery }
}

/** A query in brackets that has a WITH of its own around it. */
const wrapped = (query: QueryShape): QueryShape['body'] => ({
  kind: 'select',
  from: [{ kind: 'query', query, alias: null, renamed: [] }],
  outputs: [{ name: null, isAlias: false, expression: { kind: 'star', qualifier: null } }],
  where: [],
  rest: [],
})
