import type { FromSource, JoinedSource } from '../tree/query-tree.ts'
import { nameOf, namesOf, nodeKind, type PolyglotReader } from './polyglot-node.ts'
import { keepOrigin, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** Makes the readers of FROM: tables, queries and calls, and what is joined to them. */
export const makePolyglotSources = ({ query, expression, rest }: PolyglotReader) => {
  const readFrom = (select: TreeNode): readonly JoinedSource[] => [
    ...listOf(nodeOf(select.from)?.expressions).map((item, index) => ({
      ...alone(readSource(item)),
      join: index === 0 ? null : ('cross' as const),
      comma: index > 0,
    })),
    ...listOf(select.joins).map(readJoin),
  ]

  const readJoin = (item: TreeValue): JoinedSource => {
    const join = nodeOf(item)
    const using = namesOf(join?.using)
    const on = nodeOf(join?.on) === null ? null : expression(join?.on)
    const kind = textOf(join?.kind) ?? ''
    return {
      source: readSource(join?.this),
      join: joinKind(kind, on !== null || using.length > 0),
      natural: /natural/i.test(kind),
      comma: isComma(kind),
      on,
      using,
      usingAlias: null,
      ...(!isComma(kind) && !usualJoins.test(kind) && { special: kind.toLowerCase() }),
    }
  }

  const readSource = (item: TreeValue | undefined): FromSource => {
    const node = nodeOf(item)
    const source = readPlainSource(item)
    return node === null ? source : keepOrigin(source, node)
  }

  const readPlainSource = (item: TreeValue | undefined): FromSource => {
    const kind = nodeKind(item)
    const node = nodeOf(nodeOf(item)?.[kind])
    const alias = nameOf(node?.alias)
    const renamed = namesOf(node?.column_aliases)
    if (node === null)
      return { kind: 'unclear', name: kind, source: null, parts: rest(item), alias: null, renamed: [] }
    switch (kind) {
      case 'table':
        return {
          kind: 'table',
          catalog: nameOf(node.catalog),
          schema: nameOf(node.schema),
          name: nameOf(node.name) ?? '',
          alias,
          renamed,
        }
      case 'joined_table':
        return {
          kind: 'joined',
          sources: [alone(readSource(node.left)), ...listOf(node.joins).map(readJoin)],
          alias,
          renamed,
        }
      // In brackets polyglot no longer sees that these are tables: `FROM ('pets')` and `FROM (pets)`.
      case 'literal':
        return {
          kind: 'table',
          catalog: null,
          schema: null,
          name: textOf(node.value) ?? '',
          alias: null,
          renamed: [],
        }
      case 'column':
        return {
          kind: 'table',
          catalog: null,
          schema: nameOf(node.table),
          name: nameOf(node.name) ?? '',
          alias: null,
          renamed: [],
        }
      case 'alias':
        return renameSource(readSource(node.this), alias, renamed)
      case 'pivot':
      case 'unpivot':
        return {
          kind: 'reshaped',
          name: kind,
          source: readSource(node.this),
          parts: rest(node, innerParts),
          alias,
          renamed,
        }
      case 'table_sample':
        return {
          kind: 'unclear',
          name: kind,
          source: readSource(node.this),
          parts: rest(node, innerParts),
          alias,
          renamed,
        }
      case 'paren':
      case 'subquery':
      case 'values': {
        const inside = query(item)
        return inside === null
          ? renameSource(readSource(node.this), alias, renamed)
          : { kind: 'derived', query: inside, alias, renamed }
      }
      case 'select':
      case 'union':
      case 'intersect':
      case 'except': {
        const inside = query(item)
        return inside === null
          ? { kind: 'unclear', name: kind, source: null, parts: rest(item), alias, renamed }
          : { kind: 'derived', query: inside, alias, renamed }
      }
      case 'function':
      case 'unnest':
      case 'j_s_o_n_table':
        return {
          kind: 'function',
          name: textOf(node.name) ?? kind,
          called: kind === 'function' ? textOf(node.name) : null,
          parts: rest(node, namedParts),
          alias,
          renamed,
        }
      default:
        return {
          kind: 'unclear',
          name: textOf(node.name) ?? kind,
          source: null,
          parts: rest(item),
          alias,
          renamed,
        }
    }
  }

  return { readFrom }
}

const renameSource = (source: FromSource, alias: string | null, renamed: readonly string[]): FromSource =>
  alias === null && renamed.length === 0
    ? source
    : { ...source, alias: alias ?? source.alias, renamed: renamed.length > 0 ? renamed : source.renamed }

const alone = (source: FromSource): JoinedSource => ({
  source,
  join: null,
  natural: false,
  comma: false,
  on: null,
  using: [],
  usingAlias: null,
})

/** A comma behind a join: `FROM a JOIN b ON a.x = b.x, c`. */
const isComma = (kind: string): boolean => kind === 'Implicit'

const usualJoins = /^(?:natural)?(?:inner|cross|left|right|full|natural)?$/i

const joinKind = (kind: string, hasKeys: boolean): Exclude<JoinedSource['join'], 'natural' | null> => {
  if (/left/i.test(kind)) return 'left'
  if (/right/i.test(kind)) return 'right'
  if (/full|outer/i.test(kind)) return 'full'
  return hasKeys ? 'inner' : 'cross'
}

const innerParts: ReadonlySet<string> = new Set(['this', 'alias'])

const namedParts: ReadonlySet<string> = new Set(['alias', 'column_aliases'])
