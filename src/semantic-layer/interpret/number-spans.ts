import type { DateUnit } from '../../domain/metrics/metric-query.ts'
import { percentilePattern } from './cues.ts'
import { type SpanInput, spanText } from './span-input.ts'
import type { TermSpan } from './terms.ts'

/** Numbers, lengths of time and how often. */
export const numberSpans = (input: SpanInput, at: number): readonly TermSpan[] => {
  const token = input.tokens[at]
  const times = timesOf(input, at)
  if (times !== null) return [times]
  const time = lengthAt(input, at)
  if (token?.number == null) return time === null ? [] : [time]
  const scale = { k: 1_000, thousand: 1_000, m: 1_000_000, million: 1_000_000, mio: 1_000_000 }[
    input.tokens[at + 1]?.folded ?? ''
  ]
  const until = scale === undefined ? at + 1 : at + 2
  return [
    ...(time === null ? [] : [time]),
    {
      at: [at, until],
      term: { kind: 'number', value: token.number * (scale ?? 1) },
      quality: token.kind === 'word' ? 0.7 : 0.95,
      text: spanText(input, at, until),
    },
  ]
}

/** Units in which people say how long something takes, with what they are in the units that are computed. */
const timeUnits: readonly (readonly [
  words: string,
  unit: 'second' | 'minute' | 'hour' | 'day',
  factor: number,
])[] = [
  ['second|seconds|sec|secs', 'second', 1],
  ['minute|minutes|min|mins', 'minute', 1],
  ['hour|hours|hrs', 'hour', 1],
  ['day|days|night|nights', 'day', 1],
  ['week|weeks', 'day', 7],
]

/** "Six hours". */
export const lengthAt = (input: SpanInput, at: number): TermSpan | null => {
  const token = input.tokens[at]
  // "Longer than a week".
  const isOne =
    /^(?:an?|one)$/.test(token?.folded ?? '') &&
    /^(?:than|over|under|least|most|within)$/.test(input.tokens[at - 1]?.folded ?? '')
  const value = isOne ? 1 : token?.number
  const word = input.tokens[at + 1]?.folded ?? ''
  const found = timeUnits.find(([words]) => words.split('|').includes(word))
  if (value == null || found === undefined) return null
  const [, unit, factor] = found
  // "Thirty days after they were issued", "two days late".
  const until = /^(?:after|later|late|overdue|ahead)$/.test(input.tokens[at + 2]?.folded ?? '')
    ? at + 3
    : at + 2
  return {
    at: [at, until],
    term: { kind: 'number', value: value * factor, unit },
    quality: 0.95,
    text: spanText(input, at, until),
  }
}

/** "Twice", "three times": how often something happened. */
const timesOf = (input: SpanInput, at: number): TermSpan | null => {
  const token = input.tokens[at]
  const word = { once: 1, twice: 2, thrice: 3 }[token?.folded ?? '']
  const isTimes = token?.number != null && input.tokens[at + 1]?.folded === 'times'
  const value = word ?? (isTimes ? token.number : null)
  if (value === null || value === undefined) return null
  const until = word === undefined ? at + 2 : at + 1
  return {
    at: [at, until],
    term: { kind: 'number', value, isTimes: true },
    quality: 0.95,
    text: spanText(input, at, until),
  }
}

/** "90th percentile". */
export const percentileAt = (input: SpanInput, at: number): TermSpan | null => {
  const start = input.tokens[at]?.at[0] ?? 0
  const match = percentilePattern.exec(input.text.slice(start, start + 24))
  if (match?.index !== 0) return null
  const until = input.tokens.findIndex(token => token.at[0] >= start + match[0].length)
  const number = Number(match[1] ?? match[2])
  return {
    at: [at, until === -1 ? input.tokens.length : until],
    term: { kind: 'cue', cue: { kind: 'percentile', fraction: number / 100 } },
    quality: 1,
    text: match[0],
  }
}

/** "3-month moving average". */
export const movingAverageAt = (input: SpanInput, at: number): TermSpan | null => {
  const start = input.tokens[at]?.at[0] ?? 0
  const match =
    /^(\d{1,3}|two|three|four|five|six|seven|twelve)[- ](?:day|week|month|quarter|year|period)s?[- ](?:moving|rolling|running) (?:average|mean|avg)(?: of)?\b/i.exec(
      input.text.slice(start, start + 48),
    )
  if (match === null) return null
  const until = input.tokens.findIndex(token => token.at[0] >= start + match[0].length)
  const count = Number(match[1]) || input.tokens[at]?.number || 3
  return {
    at: [at, until === -1 ? input.tokens.length : until],
    term: { kind: 'cue', cue: { kind: 'moving-average', count } },
    quality: 1,
    text: match[0],
  }
}

const unitPattern = /^(day|week|month|quarter|year)s?$/

const rankedPattern =
  /\b(?:best|worst|busiest|quietest|slowest|strongest|weakest|biggest|smallest|largest|highest|lowest|top|peak|record)(?: (?:\d+|two|three|five|ten))?(?: \p{L}+)? $/iu

/** "Our best month", "the busiest day": what is ranked are stretches of time. */
export const rankedUnitAt = (input: SpanInput, at: number): TermSpan | null => {
  const token = input.tokens[at]
  const unit = unitPattern.exec(token?.folded ?? '')?.[1]
  if (token === undefined || unit === undefined || !rankedPattern.test(input.text.slice(0, token.at[0])))
    return null
  return {
    at: [at, at + 1],
    term: { kind: 'cue', cue: { kind: 'grain', grain: unit as DateUnit } },
    quality: 1,
    text: token.text,
  }
}
