import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../../../sql/sql-tree.ts'
import { makePolyglotSources, nodeKind, type PolyglotReader, queryKinds } from './polyglot-sources.ts'
import {
  type ExpressionShape,
  foldName,
  group,
  type OutputShape,
  type QueryShape,
  type SourceShape,
} from './query-shape.ts'

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

/**
 * Makes the readers of those kinds of nodes that mean more to a scope than what stands in them; `text` is what polyglot
 * read. All other kinds are groups of their parts.
 */
const makePolyglotExpressions = (
  { dialect, name, names, read, readQuery }: PolyglotReader,
  text: string,
): Readonly<Record<string, (node: TreeNode) => ExpressionShape>> => {
  /** polyglot counts code points. */
  const { grammar, scope } = databaseDialect(dialect)
  const characters = grammar.doubleQuotes === 'either' ? [...text] : []

  const readColumn = (node: TreeNode): ExpressionShape => {
    const start = nodeOf(nodeOf(node.name)?.span)?.start
    const qualifier = name(node.table)
    const column = name(node.name) ?? ''
    // GROUP BY ALL and ORDER BY ALL; a column of that name would need quotes.
    if (scope.hasGroupByAll && qualifier === null && column === 'all' && nodeOf(node.name)?.quoted !== true)
      return group([])
    return {
      kind: 'name',
      parts: qualifier === null ? [column] : [qualifier, column],
      mayBeText: qualifier === null && typeof start === 'number' && characters[start] === '"',
    }
  }

  /** `a.b.c`, and `(a).b`, which is a part of whatever stands in brackets. */
  const readDot = (node: TreeNode): ExpressionShape => {
    const inner = read(node.this)
    const field = name(node.field)
    return inner.kind === 'name' && field !== null
      ? { ...inner, parts: [...inner.parts, field], mayBeText: false }
      : inner
  }

  const readIn = (node: TreeNode): ExpressionShape => {
    const { query, expressions, this: left, ...rest } = node
    const [field] = listOf(expressions)
    const column = node.is_field === true ? nodeOf(nodeOf(field)?.column) : null
    // `a IN t` reads the table t in SQLite; elsewhere t is a column that holds a list.
    const right =
      column !== null && scope.inReadsTables
        ? queryPart(
            readStarModifiers({
              kind: 'table',
              schema: name(column.table),
              name: name(column.name) ?? '',
              alias: null,
              renamed: [],
            }),
          )
        : read(expressions)
    const asked = query === null || query === undefined ? group([]) : queryPart(readQuery(query))
    return group([read(left), right, asked, read(rest)])
  }

  const both = (node: TreeNode): readonly ExpressionShape[] => [read(node.left), read(node.right)]

  const asQuery =
    (kind: string) =>
    (node: TreeNode): ExpressionShape =>
      queryPart(readQuery({ [kind]: node }))

  return {
    select: asQuery('select'),
    union: asQuery('union'),
    intersect: asQuery('intersect'),
    except: asQuery('except'),
    subquery: node =>
      queryKinds.has(nodeKind(node.this)) ? queryPart(readQuery({ subquery: node })) : read(node.this),
    column: readColumn,
    dot: readDot,
    star: node => {
      const { table, except, rename, replace } = node
      names(except)
      const star: ExpressionShape = { kind: 'star', qualifier: name(table) }
      const changes = [...listOf(replace), ...listOf(rename)]
      return changes.length === 0 ? star : group([star, read(changes)])
    },
    in: readIn,
    exists: node => ({ kind: 'query', query: readQuery(node.this), exists: true }),
    count: node => {
      const { this: part, ...rest } = node
      return part === null || part === undefined
        ? read(rest)
        : { kind: 'presence', part: read(part), rest: [read(rest)] }
    },
    is_null: node => ({ kind: 'presence', part: read(node.this), rest: [] }),
    eq: node => ({ kind: 'equal', left: read(node.left), right: read(node.right) }),
    and: node => ({ kind: 'and', parts: both(node) }),
    lambda: node => ({ kind: 'lambda', names: names(node.parameters), parts: [read(node.body)] }),
    comprehension: node => {
      const { expression, ...rest } = node
      const variable = read(expression)
      return {
        kind: 'lambda',
        names: variable.kind === 'name' ? variable.parts : [],
        parts: [read(rest)],
      }
    },
    window_name: node => {
      name(node)
      return group([])
    },
    paren: node =>
      queryKinds.has(nodeKind(node.this)) && nodeKind(node.this) !== 'paren'
        ? queryPart(readQuery(node.this))
        : read(node.this),
    alias: node => {
      name(node.alias)
      return read(node.this)
    },
    table: () => ({ kind: 'unclear', what: 'a table where none is expected' }),
  }
}

const queryPart = (query: QueryShape): ExpressionShape => ({ kind: 'query', query, exists: false })

const readStarModifiers = (source: SourceShape): QueryShape => ({
  ctes: [],
  recursive: false,
  body: {
    kind: 'select',
    from: [source],
    outputs: [{ name: null, isAlias: false, expression: { kind: 'star', qualifier: null } }],
    where: [],
    rest: [],
  },
  tail: [],
})
