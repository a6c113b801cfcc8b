import type { Dialect } from '../../../domain/sql.ts'
import { listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../../../sql/sql-tree.ts'
import { type ExpressionShape, foldName, type QueryShape, type SourceShape } from './query-shape.ts'

/** What reading a part of a polyglot tree needs of the reader of all of it. Names that are read count as placed. */
export interface PolyglotReader {
  readonly dialect: Dialect
  readonly name: (value: TreeValue | undefined) => string | null
  readonly names: (list: TreeValue | undefined) => readonly string[]
  readonly read: (value: TreeValue | undefined) => ExpressionShape
  readonly readQuery: (value: TreeValue | undefined) => QueryShape
}

/** Makes the part that reads FROM: tables, queries and calls, and what is joined to them. */
export const makePolyglotSources = ({ dialect, name, names, read, readQuery }: PolyglotReader) => {
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
    const kind = nodeKind(item)
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
        if (kind === 'paren' || !queryKinds.has(nodeKind(node.this)))
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

  return { readSource, readJoins }
}

/** Nodes of polyglot that are queries. */
export const queryKinds = new Set(['select', 'union', 'intersect', 'except', 'values', 'subquery', 'paren'])

/** A node of polyglot is an object whose only key is its kind. */
export const nodeKind = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''
