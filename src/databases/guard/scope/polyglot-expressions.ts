import { listOf, nodeOf, type TreeNode } from '../../../sql/sql-tree.ts'
import { nodeKind, queryKinds } from './polyglot-kind-of.ts'
import type { PolyglotReader } from './polyglot-sources.ts'
import { type ExpressionShape, group, type QueryShape, type SourceShape } from './query-shape.ts'

/**
 * Makes the readers of those kinds of nodes that mean more to a scope than what stands in them; `text` is what polyglot
 * read. All other kinds are groups of their parts.
 */
export const makePolyglotExpressions = (
  { dialect, name, names, read, readQuery }: PolyglotReader,
  text: string,
): Readonly<Record<string, (node: TreeNode) => ExpressionShape>> => {
  /** polyglot counts code points. */
  const characters = dialect === 'sqlite' ? [...text] : []

  const readColumn = (node: TreeNode): ExpressionShape => {
    const start = nodeOf(nodeOf(node.name)?.span)?.start
    const qualifier = name(node.table)
    const column = name(node.name) ?? ''
    // GROUP BY ALL and ORDER BY ALL; a column of that name would need quotes.
    if (dialect === 'duckdb' && qualifier === null && column === 'all' && nodeOf(node.name)?.quoted !== true)
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
      column !== null && dialect === 'sqlite'
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
