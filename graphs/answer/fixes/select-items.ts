import type { SqlToken } from '../../../src/sql/sql-tokens.ts'
import type { ClauseName, ClauseRange, SelectBlock } from './select-blocks.ts'
import { isWord, type Statement } from './statement.ts'

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

/** The place of the bracket that closes the one at a place; the number of tokens where none does. */
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
