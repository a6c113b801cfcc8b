import type { RequestedView } from '../../core/follow-up.ts'
import { parseNumber } from '../../lib/read-number.ts'
import type { AggregateFunction } from '../../sql/render/expression.ts'
import type { SortDirection } from '../lexicon/cue.ts'

/** An edit that names nothing of the database, read from its words alone. */
export type PlainEdit =
  | { readonly kind: 'show'; readonly show: RequestedView }
  /** The rows that were counted: "who are they?". */
  | { readonly kind: 'list' }
  | { readonly kind: 'count' }
  | { readonly kind: 'top'; readonly count: number; readonly direction: SortDirection }
  | { readonly kind: 'order'; readonly direction: SortDirection }
  | { readonly kind: 'measure'; readonly fn: Exclude<AggregateFunction, 'count'> }
  | { readonly kind: 'why' }

const chartPattern =
  /^(?:as|in|with|draw|plot|show)?\s*(?:it |this |that |them )?(?:as |in )?(?:an? |the )?(?:\w+ )?(?:chart|graph|plot|diagram)(?: of (?:it|this|that|them))?$|^(?:plot|chart|graph|draw)(?: (?:it|this|that|them))?$/i
const tablePattern = /^(?:as|in|show)?\s*(?:it |this |that |them )?(?:as |in )?(?:an? |the )?table$/i
const listPattern =
  /^(?:who|what|which)(?: ones?| people| exactly)? (?:are|were|is|was) (?:they|these|those|it|that|he|she|them)(?: exactly)?$|^(?:list|show|name|give)(?: me)? (?:them|those|these)(?: all)?$|^which(?: ones?)?$|^who(?: exactly)?$|^(?:their|the) names$/i
const countPattern =
  /^how many(?: (?:are|were) (?:there|they|those|these|it)| in total| of (?:them|those|these))?$|^(?:the )?(?:count|number)$/i
const topPattern =
  /^(?:the )?(top|first|best|largest|biggest|highest|most|bottom|last|worst|lowest|smallest|fewest|least) ([\w-]+)(?: ones| of (?:them|those|these)| rows)?$/i
const orderPattern =
  /^(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|with)?(?: (?:it|them|this|that))?(?: ?by| ?from)?(?: ?the)? ?(lowest|smallest|fewest|least|cheapest|shortest|worst|ascending|highest|largest|biggest|most|best|greatest|longest|descending)(?: (?:first|on top|at the top|to (?:the )?\w+|order|ones first))?$/i
const measurePattern =
  /^(?:the |an? |on )?(average|mean|avg|total|sum|maximum|max|highest|largest|minimum|min|lowest|smallest)(?: (?:value|one|of (?:it|them|that|those)))?$/i

const ascendingWords = new Set(
  'lowest smallest fewest least cheapest shortest worst ascending bottom last'.split(' '),
)

const functions: Readonly<Record<string, Exclude<AggregateFunction, 'count'>>> = {
  average: 'avg',
  mean: 'avg',
  avg: 'avg',
  total: 'sum',
  sum: 'sum',
  maximum: 'max',
  max: 'max',
  highest: 'max',
  largest: 'max',
  minimum: 'min',
  min: 'min',
  lowest: 'min',
  smallest: 'min',
}

/** Reads such an edit; null for any other text. `replaces`: it ended in "instead", so that a superlative is a measure. */
export const readPlainEdit = (text: string, replaces: boolean): PlainEdit | null => {
  if (/^(?:why|how come|what explains|what caused)\b/i.test(text)) return { kind: 'why' }
  if (chartPattern.test(text)) return { kind: 'show', show: 'chart' }
  if (tablePattern.test(text)) return { kind: 'show', show: 'table' }
  if (listPattern.test(text)) return { kind: 'list' }
  if (countPattern.test(text)) return { kind: 'count' }
  const [, which = '', many = ''] = topPattern.exec(text) ?? []
  // "Lowest first" is an order, not one row.
  const number =
    many === '' || /^(?:first|second|third|last)$|(?:st|nd|rd|th)$/i.test(many) ? null : parseNumber(many)
  if (number !== null && Number.isInteger(number) && number > 0) {
    return { kind: 'top', count: number, direction: directionOf(which) }
  }
  const [, said = ''] = measurePattern.exec(text) ?? []
  const fn = functions[said.toLowerCase()]
  const [, ordered = ''] = orderPattern.exec(text) ?? []
  const isSuperlative = ordered !== '' && fn !== undefined
  if (fn !== undefined && (!isSuperlative || replaces)) return { kind: 'measure', fn }
  return ordered === '' ? null : { kind: 'order', direction: directionOf(ordered) }
}

const directionOf = (word: string): SortDirection => (ascendingWords.has(word.toLowerCase()) ? 'asc' : 'desc')
