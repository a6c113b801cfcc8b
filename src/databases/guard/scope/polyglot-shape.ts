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
import {
  type ExpressionShape,
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
  const reader = makeReader(tree, dialect)
  return { query: reader.readQuery(tree.statements[0]), placed: reader.placed }
}

const queryKinds = new Set(['select', 'union', 'intersect', 'except', 'values', 'subquery', 'paren'])

const kindOf = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''

const makeReader = (tree: SqlTree, dialect: Dialect) => {
  const placed = new Map<string, number>()
  /** polyglot counts code points. */
  const characters = dialect === 'sqlite' ? [...tree.read] : []

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
    const kind = kindOf(value)
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

  const readJoins = (first: SourceShape | undefined, joins: readonly TreeValue[]): SourceShape | undefined =>
    joins.reduce<SourceShape | undefined>((left, item) => {
      const join = nodeOf(item)
      if (left === undefined || join === null) throw new Error('a join without a left side')
      return {
        kind: 'join',
        left,
        right: readSource(join.this),
        natural: /natural/i.test(textOf(join.kind) ?? ''),
        using: names(join.using),
        on: [read(join.on)],
        alias: null,
        renamed: [],
      }
    }, first)

  const readSource = (item: TreeValue | undefined): SourceShape => {
    const kind = kindOf(item)
    const node = nodeOf(nodeOf(item)?.[kind])
    if (node === null) throw new Error('a source that is not there')
    switch (kind) {
      case 'table':
        return readTable(node)
      case 'joined_table': {
        const joined = readJoins(readSource(node.left), listOf(node.joins))
        const alias = name(node.alias)
        if (joined === undefined) throw new Error('a join of nothing')
        return alias === null ? joined : renameSource(joined, alias, [])
      }
      case 'literal':
        return { kind: 'table', schema: null, name: name(node.value) ?? '', alias: null, renamed: [] }
      case 'column':
        return {
          kind: 'table',
          schema: name(node.table),
          name: name(node.name) ?? '',
          alias: null,
          renamed: [],
        }
      case 'alias':
        return renameSource(readSource(node.this), name(node.alias), names(node.column_aliases))
      case 'pivot':
      case 'unpivot': {
        const { this: inner, alias, ...rest } = node
        return { kind: 'reshaped', source: readSource(inner), parts: [read(rest)], alias: name(alias) }
      }
      case 'paren':
      case 'subquery':
        if (kind === 'paren' || !queryKinds.has(kindOf(node.this)))
          return renameSource(readSource(node.this), name(node.alias), names(node.column_aliases))
        return {
          kind: 'query',
          query: readQuery(item),
          alias: name(node.alias),
          renamed: names(node.column_aliases),
        }
      case 'values':
        return {
          kind: 'query',
          query: readQuery(item),
          alias: name(node.alias),
          renamed: names(node.column_aliases),
        }
      case 'function':
      case 'unnest':
      case 'j_s_o_n_table': {
        const { alias, column_aliases, ...rest } = node
        const own = kind === 'function' ? (textOf(node.name) ?? null) : null
        return {
          kind: 'call',
          parts: [read(rest)],
          alias: name(alias) ?? (own === null ? null : foldName(own, dialect)),
          renamed: names(column_aliases),
        }
      }
      default:
        throw new Error(`a source of the kind ${kind}`)
    }
  }

  const readTable = (node: TreeNode): SourceShape => {
    if (nodeOf(node.catalog) !== null) throw new Error('a table of another database')
    const table: SourceShape = {
      kind: 'table',
      schema: name(node.schema),
      name: name(node.name) ?? '',
      alias: name(node.alias),
      renamed: names(node.column_aliases),
    }
    return table
  }

  const renameSource = (
    source: SourceShape,
    alias: string | null,
    renamed: readonly string[],
  ): SourceShape => {
    if (alias === null && renamed.length === 0) return source
    if (source.kind === 'reshaped') return { ...source, alias }
    return { ...source, alias: alias ?? source.alias, renamed: renamed.length > 0 ? renamed : source.renamed }
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
            starOver({
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

  const readers: Readonly<Record<string, (node: TreeNode) => ExpressionShape>> = {
    select: asQuery('select'),
    union: asQuery('union'),
    intersect: asQuery('intersect'),
    except: asQuery('except'),
    subquery: node =>
      queryKinds.has(kindOf(node.this)) ? queryPart(readQuery({ subquery: node })) : read(node.this),
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
      queryKinds.has(kindOf(node.this)) && kindOf(node.this) !== 'paren'
        ? queryPart(readQuery(node.this))
        : read(node.this),
    alias: node => {
      name(node.alias)
      return read(node.this)
    },
    table: () => ({ kind: 'unclear', what: 'a table where none is expected' }),
  }

  return { placed, readQuery }
}

const queryPart = (query: QueryShape): ExpressionShape => ({ kind: 'query', query, exists: false })

const starOver = (source: SourceShape): QueryShape => ({
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

/** A query in brackets that has a WITH of its own around it. */
const wrapped = (query: QueryShape): QueryShape['body'] => ({
  kind: 'select',
  from: [{ kind: 'query', query, alias: null, renamed: [] }],
  outputs: [{ name: null, isAlias: false, expression: { kind: 'star', qualifier: null } }],
  where: [],
  rest: [],
})
