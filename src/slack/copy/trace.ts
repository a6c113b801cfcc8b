import { formatCount, formatNumber } from './counts.ts'

/** Titles of the parts of "How I got this". */
export const traceTitles = {
  modal: 'How I got this',
  interpretation: 'How I read the question',
  confidence: 'How sure I am',
  values: 'Values I found',
  tables: 'Tables I considered',
  queries: 'Queries',
  results: 'Results',
  comparisons: 'Comparisons',
  cannotAnswer: 'Drafts that found no answer',
  failures: 'What did not work',
  usage: 'Model usage',
  leftOut: 'Left out here',
  gone: 'No longer available',
} as const

export const traceGoneText =
  'I keep how I got an answer for a week. Ask again to see it. Show SQL still has the query.'

/** "Confident (85%)". */
export const confidenceWithPercent = (label: string, confidence: number): string =>
  `${label} (${Math.round(confidence * 100)}%)`

/** "“last week”: from 2026-11-16 until 2026-11-23". */
export const formatPeriod = (phrase: string, from: string | null, until: string | null): string =>
  `“${phrase}”: from ${from ?? 'the beginning'} until ${until ?? 'now'}`

export const todayIs = (day: string, timeZone: string): string => `Today is ${day} in ${timeZone}.`

export const addedInReply = (reply: string): string => `Added in a reply: ${reply}`

export const formatMatch = (keyword: string, value: string, column: string): string =>
  `“${keyword}” is ${value} in ${column}`

/** "3 queries: 2 by query plan, 1 by examples. 2 ran, 1 of them after a repair." */
export const formatQueries = (given: {
  readonly byPath: readonly (readonly [path: string, count: number])[]
  readonly ran: number
  readonly repaired: number
}): string => {
  const total = given.byPath.reduce((sum, [, count]) => sum + count, 0)
  const paths = given.byPath.map(([path, count]) => `${formatNumber(count)} by ${path}`).join(', ')
  const repaired = given.repaired > 0 ? `, ${formatNumber(given.repaired)} after a repair` : ''
  return `${formatCount(total, 'query', 'queries')}: ${paths}. ${formatNumber(given.ran)} ran${repaired}.`
}

/** "Result 1 (the answer): 3 rows × 2 columns. 2 of 3 queries agree, 80% likely." */
export const formatTracedResult = (given: {
  readonly number: number
  readonly isAnswer: boolean
  readonly size: { readonly rows: number; readonly columns: number } | null
  readonly agreeing: number
  readonly ran: number
  /** From 0 to 1. */
  readonly score: number
  /** What the selector went by; empty if it had nothing to compare. */
  readonly reasons: readonly string[]
}): string => {
  const { number, isAnswer, size, agreeing, ran, score, reasons } = given
  const extent =
    size === null ? '' : `: ${formatCount(size.rows, 'row')} × ${formatCount(size.columns, 'column')}`
  const why = reasons.length === 0 ? '' : ` Reasons: ${reasons.join('; ')}`
  return `• Result ${number}${isAnswer ? ' (the answer)' : ''}${extent}. ${agreeing} of ${formatCount(ran, 'query', 'queries')} agree, ${Math.round(score * 100)}% likely.${why}`
}

const deciders = {
  model: 'a model',
  scorer: 'the local ranker',
  probe: 'a check of both results',
  vote: 'the vote',
} as const

/** One of the numbered results; null for one that is not listed. */
export const tracedResultName = (number: number | null): string =>
  number === null ? 'another result' : `result ${number}`

/** "• result 1 over result 2, decided by a model: it groups by city". */
export const formatComparison = (given: {
  readonly winner: string
  readonly loser: string
  readonly by: keyof typeof deciders
  readonly reason: string | null
}): string => {
  const { winner, loser, by, reason } = given
  return `• ${winner} over ${loser}, decided by ${deciders[by]}${reason ? `: ${reason}` : ''}`
}

/** "• query plan: there are no salaries here". */
export const formatCannotAnswer = (path: string, reason: string | null): string =>
  `• ${path}: ${reason ?? 'no reason given'}`

export const noModelText = 'I used no model.'

export const formatUsage = (calls: number, tokens: number): string =>
  `${formatCount(calls, 'model call')}, ${formatCount(tokens, 'token')}.`
