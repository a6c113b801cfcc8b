import type { Table } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { QueryScope, Source } from '../../../src/sql/analyze/query-scope.ts'
import { sqlScopes } from '../../../src/sql/analyze/sql-scopes.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'
import { type SqlToken, sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'
import { type ClauseName, type ClauseRange, type SelectBlock, selectBlocks } from './select-blocks.ts'

/** A statement that went wrong, taken apart: its tokens, and its SELECTs if it parses (else none). */
export interface Statement {
  readonly sql: string
  readonly database: Pick<Database, 'dialect' | 'catalog' | 'findValues'>
  readonly tokens: readonly SqlToken[]
  readonly scopes: readonly QueryScope[]
  /** Its SELECTs as they stand in the text, also if it does not parse. */
  readonly blocks: readonly SelectBlock[]
}

/** Takes a statement apart; null when not even its tokens can be told. */
export const readStatement = (sql: string, database: Statement['database']): Statement | null => {
  const cut = sqlTokens(sql, database.dialect)
  if (!cut.ok) return null
  const parsed = parseSql(sql, database.dialect)
  return {
    sql,
    database,
    tokens: cut.tokens,
    scopes: parsed.ok ? sqlScopes(parsed.tree) : [],
    blocks: selectBlocks(sql, cut.tokens, database.dialect),
  }
}

/** Whether two names are one to the database. Postgres compares what is left after folding; the others ignore case. */
export const sameName = (a: string, b: string, { database }: Pick<Statement, 'database'>): boolean =>
  databaseDialect(database.dialect).parser === 'libpg-query' ? a === b : a.toLowerCase() === b.toLowerCase()

/** The table that a FROM clause means by a name; null when the catalog has none. */
export const tableNamed = (name: string, statement: Statement): Table | null =>
  statement.database.catalog.tables.find(table => sameName(table.name, name, statement)) ?? null

/** Whether a token is this name, with or without quotes. */
export const isName = (token: SqlToken | undefined, name: string, statement: Statement): boolean =>
  (token?.kind === 'word' || token?.kind === 'quoted') && sameName(token.value, name, statement)

/** Whether a token is one of these key words, bare. */
export const isWord = (token: SqlToken | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.value)

/**
 * Edits that make a LIKE (or ILIKE) ignore case, at the index of its word: by ILIKE, by itself, or with `lower` around
 * the column before it and the text after it. None where these are not there, and that is needed.
 */
export const likeWithoutCase = (at: number, { tokens, database }: Statement): readonly Edit[] => {
  const word = tokens[at] as SqlToken
  const { ignoresCase } = databaseDialect(database.dialect).rendering
  if (ignoresCase !== 'lower') return [{ ...word, text: ignoresCase === 'ilike' ? 'ILIKE' : 'LIKE' }]
  const last = isWord(tokens[at - 1], 'not') ? at - 2 : at - 1
  let first = last
  while (tokens[first - 1]?.text === '.') first -= 2
  const [begin, end, text] = [tokens[first], tokens[last], tokens[at + 1]]
  const isColumn = end?.kind === 'word' || end?.kind === 'quoted'
  if (begin === undefined || end === undefined || !isColumn || text?.kind !== 'string')
    return isWord(word, 'ilike') ? [{ ...word, text: 'LIKE' }] : []
  return [
    { start: begin.start, end: begin.start, text: 'lower(' },
    { start: end.end, end: end.end, text: ')' },
    { ...word, text: 'LIKE' },
    { ...text, text: text.text.toLowerCase() },
  ]
}

/** The text of the tokens in [from, to). */
export const textBetween = ({ sql, tokens }: Statement, from: number, to: number): string =>
  sql.slice(tokens[from]?.start ?? sql.length, tokens[to - 1]?.end ?? sql.length)

/** What one SELECT can name: its own sources, and those of the SELECTs around it. */
export const visibleSources = (block: SelectBlock): readonly Source[] => [
  ...(block.scope?.sources ?? []),
  ...(block.parent === null ? [] : visibleSources(block.parent)),
]

/** The name that a source goes by: its alias hides its own. */
export const nameOfSource = (source: Source): string | null => source.alias ?? source.name

/** The table behind a source; null for subqueries, CTEs, and what the catalog does not know. */
export const tableOfSource = (source: Source, statement: Statement): Table | null => {
  if (source.kind !== 'table' || source.name === null) return null
  return isCte(source.name, statement) ? null : tableNamed(source.name, statement)
}

/** A SELECT that is read by itself takes the statement's CTEs for tables; the whole statement knows better. */
const isCte = (name: string, { scopes }: Statement): boolean =>
  scopes.some(({ sources }) =>
    sources.some(source => source.kind === 'derived' && source.name?.toLowerCase() === name.toLowerCase()),
  )

export const hasColumn = (table: Table, name: string, statement: Statement): boolean =>
  table.columns.some(column => sameName(column.name, name, statement))

/** One entry of a list in a SELECT: [from, to) among the tokens, a name given to it not included. */
export interface ListItem extends ClauseRange {
  readonly alias: string | null
}

/** The results that a SELECT names, in order. */
export const selectItems = (block: SelectBlock, statement: Statement): readonly ListItem[] =>
  listItems('select', block, statement).map(item => withoutAlias(item, statement))

/** What stands between the commas of a clause, its key words not included. */
export const listItems = (
  name: ClauseName,
  block: SelectBlock,
  { tokens }: Statement,
): readonly ListItem[] => {
  const clause = block.clauses[name]
  if (!clause) return []
  let from = clause.from + 1
  while (from < clause.to && isWord(tokens[from], 'distinct', 'all', 'by')) from += 1
  const items: ListItem[] = []
  let depth = 0
  for (let at = from; at <= clause.to; at++) {
    const text = tokens[at]?.text ?? ''
    if (at === clause.to || (depth === 0 && text === ',')) {
      if (at > from) items.push({ from, to: at, alias: null })
      from = at + 1
    } else if (opens.has(text) || isWord(tokens[at], 'case')) depth += 1
    else if (closes.has(text) || isWord(tokens[at], 'end')) depth -= 1
  }
  return items
}

const opens = new Set(['(', '[', '{'])

const closes = new Set([')', ']', '}'])

const withoutAlias = ({ from, to }: ListItem, { tokens }: Statement): ListItem => {
  const last = tokens[to - 1] as SqlToken
  const before = tokens[to - 2]
  if (to - from >= 3 && isWord(before, 'as')) return { from, to: to - 2, alias: last.value }
  const follows = before && (before.text === ')' || before.kind === 'quoted' || before.kind === 'word')
  const isBare = to - from >= 2 && follows && (last.kind === 'word' || last.kind === 'quoted')
  return isBare && !isWord(last, 'end') ? { from, to: to - 1, alias: last.value } : { from, to, alias: null }
}

/** Aggregates of all of our dialects that a rule has to know. */
const aggregates = new Set(
  `count sum avg min max group_concat string_agg array_agg total stddev stddev_pop stddev_samp variance var_pop var_samp
   median json_agg jsonb_agg list bool_and bool_or any_value`.split(/\s+/),
)

/** Places of the aggregates that are called within a range and are no window functions. */
export const aggregateCalls = (
  { from, to }: ClauseRange,
  block: SelectBlock,
  { tokens }: Statement,
): readonly number[] =>
  block.own.filter(at => {
    const token = tokens[at]
    if (at < from || at >= to || token?.kind !== 'word' || !aggregates.has(token.value)) return false
    return tokens[at + 1]?.text === '(' && !isWord(tokens[closingOf(at + 1, tokens) + 1], 'over', 'filter')
  })

/** The place of the bracket that closes the one at a place; the number of tokens if none does. */
export const closingOf = (open: number, tokens: readonly SqlToken[]): number => {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth += 1
    if (tokens[at]?.text === ')') depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

/** The name of a column where that is all an item is (`a`, `t.a`), in the order of its tokens; else null. */
export const columnOf = (
  { from, to }: ClauseRange,
  { tokens }: Statement,
): { readonly qualifier: string | null; readonly column: string } | null => {
  const [first, dot, last] = tokens.slice(from, to)
  const isNamed = (token: SqlToken | undefined): token is SqlToken =>
    token?.kind === 'word' || token?.kind === 'quoted'
  if (to - from === 1 && isNamed(first)) return { qualifier: null, column: first.value }
  if (to - from !== 3 || dot?.text !== '.' || !isNamed(first) || !isNamed(last)) return null
  return { qualifier: first.value, column: last.value }
}

/** Where one SELECT names a column without a table: not behind a dot, not called, not given as a name. */
export const bareColumnTokens = (
  column: string,
  block: SelectBlock,
  statement: Statement,
): readonly SqlToken[] =>
  block.own.flatMap(at => {
    const token = statement.tokens[at] as SqlToken
    const before = statement.tokens[at - 1]
    const next = statement.tokens[at + 1]?.text
    if (!isName(token, column, statement) || before?.text === '.' || next === '.' || next === '(') return []
    return before?.kind === 'word' && before.value === 'as' ? [] : [token]
  })

/** Replaces what stands at [start, end) in UTF-16 units. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all edits made, which must not overlap. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), text)
