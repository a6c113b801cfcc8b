import { databaseDialect } from '../../dialects.ts'
import { codePointOffsets } from '../../parse/polyglot-workarounds.ts'
import {
  listOf,
  nodeOf,
  originOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
} from '../../parse/sql-tree.ts'
import type { NameRules } from '../../sql-dialect.ts'
import type { ColumnName } from '../../tree/query-tree.ts'
import type { NameEdits } from './name-edits.ts'

/** A stretch of the text that polyglot read, in UTF-16 units, and what stands there instead. */
interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A statement with other names, and the places of what was replaced, or is known to stay. */
export interface ReplacedText {
  readonly sql: string
  readonly covered: readonly Place[]
  /** What each new name of a column was in the statement. */
  readonly originals: ReadonlyMap<string, string>
}

/**
 * Writes a statement of polyglot with other names: everything but the names stays as it is written, without its comments.
 * `kept` are columns that stay as they are. Null if a name has no place in the text.
 */
export const replaceTokenNames = (
  tree: SqlTree,
  edits: NameEdits,
  kept: readonly ColumnName[],
): ReplacedText | null => {
  const text = textAsRead(tree)
  const place = makePlaces(tree)
  const texts = textEdits(edits, place, text, databaseDialect(tree.dialect).names.quote)
  if (texts === null) return null
  const sorted = [...texts].sort((a, b) => a.start - b.start || a.end - b.end)
  let sql = ''
  let done = 0
  for (const edit of sorted) {
    if (edit.start < done) return null
    sql += text.slice(done, edit.start) + edit.text
    done = edit.end
  }
  const ours = kept.map(column => whole(partsOf(originOf(column)).map(place))).filter(at => at !== null)
  const originals = new Map(sorted.map(({ start, end, text: now }) => [now, text.slice(start, end)]))
  return { sql: sql + text.slice(done), covered: [...sorted, ...ours], originals }
}

/** polyglot is given `a // b` as `a /  b`, which is another division to the server. */
const textAsRead = ({ read, tokens }: SqlTree): string => {
  let text = read
  for (const [at, { text: sign, end }] of tokens.entries()) {
    const after = tokens[at + 1]
    if (sign === '/' && after?.text === '/' && after.start === end)
      text = `${text.slice(0, after.start)}/${text.slice(after.end)}`
  }
  return text
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Finds where an identifier stands; null if polyglot does not say. */
type FindPlace = (identifier: TreeValue | undefined) => Place | null

const makePlaces = (tree: SqlTree): FindPlace => {
  const offsets = codePointOffsets(tree.read)
  const at = (codePoint: number): number =>
    offsets === null ? codePoint : (offsets[codePoint] ?? tree.read.length)
  return identifier => {
    const { start, end } = nodeOf(nodeOf(identifier)?.span) ?? {}
    return typeof start === 'number' && typeof end === 'number' && end > start
      ? { start: at(start), end: at(end) }
      : null
  }
}

const textEdits = (
  edits: NameEdits,
  place: FindPlace,
  text: string,
  quote: NameRules['quote'],
): readonly TextEdit[] | null => {
  const texts: TextEdit[] = []
  let isComplete = true
  const put = (at: Place | null, text: string): void => {
    if (at === null) isComplete = false
    else texts.push({ ...at, text })
  }
  for (const [source, { sql, alias }] of edits.tables) {
    const named = tableNames(source)
    const at = whole(named.names.map(place))
    const called = aliasOf(originOf(source))
    const isAliased = called !== null && alias !== null
    put(at, isAliased || alias === null ? sql : `${sql} AS ${alias}`)
    if (isAliased) put(place(called), alias)
    if (named.hasClause || (named.indexes.length > 0 && sql.startsWith('('))) isComplete = false
    for (const index of named.indexes) {
      const at = place(index)
      if (at !== null) put(at, text.slice(at.start, at.end))
    }
  }
  for (const [source, alias] of edits.aliases) put(place(aliasOf(originOf(source)) ?? undefined), alias)
  for (const [query, name] of edits.queries) put(place(originOf(query)?.alias), name)
  for (const [expression, { replaced, qualifier, column }] of edits.columns) {
    const parts = partsOf(originOf(expression)).map(place)
    const [next] = parts.slice(replaced)
    const written = column === null ? text.slice(next?.start, next?.end) : quote(column)
    put(whole(parts.slice(0, replaced + 1)), next === undefined ? qualifier : `${qualifier}.${written}`)
  }
  for (const [expression, qualifier] of edits.stars) put(place(originOf(expression)?.table), qualifier)
  for (const [expression, sql] of edits.listed) put(whole(partsOf(originOf(expression)).map(place)), sql)
  return isComplete ? texts : null
}

/** From the first of some places to the last; null if one is missing. */
const whole = (places: readonly (Place | null)[]): Place | null => {
  const known = places.filter(place => place !== null)
  if (known.length < places.length || known.length === 0) return null
  return {
    start: Math.min(...known.map(({ start }) => start)),
    end: Math.max(...known.map(({ end }) => end)),
  }
}

/** The identifiers of a column or of a field of one, the outermost first. */
const partsOf = (node: TreeNode | null): readonly TreeValue[] => {
  if (node === null) return []
  if (node.field !== undefined) return [...partsOf(columnIn(node.this)), node.field]
  return [node.table, node.name].filter(part => nodeOf(part) !== null) as readonly TreeValue[]
}

const columnIn = (value: TreeValue | undefined): TreeNode | null => {
  const node = nodeOf(value)
  return nodeOf(node?.column) ?? nodeOf(node?.dot)
}

/** What is said of a table itself, which a query in its place would not have. */
const clausesOfTables = ['when', 'changes', 'partitions', 'hints', 'version', 'system_time', 'only'] as const

/** The identifiers of a table, its clauses, and the indexes that these name. */
const tableNames = (
  source: object,
): {
  readonly names: readonly TreeValue[]
  readonly hasClause: boolean
  readonly indexes: readonly TreeValue[]
} => {
  const node = tableIn(originOf(source))
  if (node === null) return { names: [], hasClause: false, indexes: [] }
  const names = [node.catalog, node.schema, node.table, node.name].filter(part => nodeOf(part) !== null)
  const hints = listOf(node.hints).map(hint => nodeOf(nodeOf(hint)?.index_table_hint))
  const isHinted = hints.length > 0 && hints.every(hint => hint !== null)
  const hasClause = clausesOfTables.some(clause => {
    const part = node[clause]
    const isEmpty = Array.isArray(part)
      ? part.length === 0
      : part === undefined || part === null || part === false
    return !isEmpty && !(clause === 'hints' && isHinted)
  })
  const indexes = hints.flatMap(hint => listOf(hint?.expressions).map(one => nodeOf(one)?.identifier))
  return {
    names: names as readonly TreeValue[],
    hasClause,
    indexes: indexes.filter(one => one !== undefined),
  }
}

/** The table inside an alias and brackets. */
const tableIn = (item: TreeNode | null): TreeNode | null => {
  const [kind, body] = Object.entries(item ?? {})[0] ?? []
  const node = nodeOf(body)
  if (node === null) return null
  if (kind === 'table' || kind === 'column') return node
  return kind === 'alias' || kind === 'paren' || kind === 'subquery' ? tableIn(nodeOf(node.this)) : null
}

/** The identifier of the outermost alias of an item in FROM. */
const aliasOf = (item: TreeNode | null): TreeNode | null => {
  const [kind, body] = Object.entries(item ?? {})[0] ?? []
  const node = nodeOf(body)
  if (node === null) return null
  const alias = nodeOf(node.alias)
  if (alias !== null) return alias
  return kind === 'paren' || kind === 'subquery' || kind === 'alias' ? aliasOf(nodeOf(node.this)) : null
}
