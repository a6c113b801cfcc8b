import { DateTime } from 'luxon'
import type { ChainLink } from '../../domain/conversation.ts'
import type { TimeSpan, Understanding } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import { formatDays } from '../../lib/format-figure.ts'
import { type EditContext, understandEdit, yearOf } from '../follow-up/interpret-edit.ts'
import type { Frame } from '../frame.ts'
import { functionWords } from '../lexicon.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'

/**
 * What a "why" question is about. `unnamed`: it names nothing; `unknown`: it names something that is not in the
 * answer.
 */
export type BreakdownSubject =
  | {
      readonly kind: 'period'
      readonly subject: DayRange
      readonly beside: DayRange
      readonly understanding: Understanding
    }
  | {
      readonly kind: 'group'
      readonly column: ColumnEntry
      readonly value: string
      readonly understanding: Understanding
    }
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'unknown'; readonly words: string }

/** Words for the size or change of a number, which do not name a number. */
const changeWords = new Set(
  `why come explain explains explained cause caused causes reason low lower lowest high higher highest small smaller
  smallest large larger largest big bigger biggest bad good better worse worst best weak strong few little fewer less
  down up drop drops dropped dropping fall falls fell fallen falling rise rises rose risen rising grow grows grew growth
  decline declines declined decrease decreased decreases increase increased increases spike spikes spiked jump jumps
  jumped dip dips dipped plunge plunged peak peaks peaked go goes went gone change changed changes differ different
  compare compared comparison versus vs below above previous before lot sudden suddenly sharply much`
    .split(/\s+/)
    .filter(Boolean),
)

/** A match of a value below this is a guess. */
const SAME_VALUE = 0.8

/** Finds the period or the group of an answer that a "why" question is about. */
export const findSubject = (
  base: Frame,
  { text, askedAt }: Pick<ChainLink, 'text' | 'askedAt'>,
  parts: EditContext,
): BreakdownSubject => {
  const words = text
    .split(/[^\p{L}\p{N}'’&.-]+/u)
    .map(word => word.replace(/^[.'’-]+|[.'’-]+$/g, '').replace(/['’]s$/, ''))
    .filter(word => word !== '' && !changeWords.has(foldText(word)))
  const said = understandEdit(text.replace(/^\W*(?:why|how come)\b/i, ''), yearOf(base), askedAt, parts)
  const group = findGroup(base, words, parts)
  // A group may have the name of a month; if rows are periods, it is the period.
  if (group && !hasPeriods(base)) return { ...group, understanding: said }
  const periods = periodsIn(base, words, askedAt, parts)
  const [subject, other] = (periods.length > 0 ? periods : [said]).flatMap(({ spans }) =>
    spans.flatMap(wholeDays),
  )
  if (subject) {
    return { kind: 'period', subject, beside: other ?? precedingPeriod(subject), understanding: said }
  }
  if (group) return { ...group, understanding: said }
  const named = words.filter(word => !functionWords.has(foldText(word)) && !isOfAnswer(base, word))
  if (named.length > 0) return { kind: 'unknown', words: named.join(' ') }
  const whole = base.groups.length === 0 ? periodOf(base) : null
  return whole
    ? { kind: 'period', subject: whole, beside: precedingPeriod(whole), understanding: said }
    : { kind: 'unnamed' }
}

/** A period has at most this many words: "the first quarter of 2026". */
const LONGEST_PERIOD = 5

/** "March lower than February": runs of words that are periods when "in" precedes them, in order. */
const periodsIn = (
  base: Frame,
  words: readonly string[],
  askedAt: string,
  parts: EditContext,
): readonly Understanding[] => {
  const found: Understanding[] = []
  for (let at = 0; at < words.length; at += 1) {
    for (let length = Math.min(LONGEST_PERIOD, words.length - at); length > 0; length -= 1) {
      const read = understandEdit(
        `in ${words.slice(at, at + length).join(' ')}`,
        yearOf(base),
        askedAt,
        parts,
      )
      const [span] = read.spans
      if (read.spans.length !== 1 || !span || span.at[0] > 3 || span.at[1] !== read.text.length) continue
      found.push(read)
      at += length - 1
      break
    }
  }
  return found
}

const wholeDays = ({ from, until }: TimeSpan): readonly DayRange[] => (from && until ? [{ from, until }] : [])

const hasPeriods = (base: Frame): boolean => base.groups.some(({ unit }) => unit !== null)

/** The one period that limits the whole answer. */
const periodOf = (base: Frame): DayRange | null => {
  const periods = base.conditions.flatMap(({ test }) => (test.kind === 'period' ? wholeDays(test.span) : []))
  const [only] = periods
  return periods.length === 1 && only ? only : null
}

/** The longest run of words that is a value of a column that the answer groups by. */
const findGroup = (
  base: Frame,
  words: readonly string[],
  { findValues }: EditContext,
): Pick<Extract<BreakdownSubject, { kind: 'group' }>, 'kind' | 'column' | 'value'> | null => {
  const columns = base.groups.filter(({ unit }) => unit === null).map(({ column }) => column)
  for (let length = words.length; length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const keyword = words.slice(at, at + length).join(' ')
      if (functionWords.has(foldText(keyword))) continue
      for (const column of columns) {
        const place = { table: column.table.table.name, column: column.column.name }
        const match = findValues(keyword, { columns: [place] }).find(
          one => one.table === place.table && one.column === place.column && one.score >= SAME_VALUE,
        )
        if (match) return { kind: 'group', column, value: match.value }
      }
    }
  }
  return null
}

/** The question may name again what the answer is about: "why is revenue low in March?". */
const isOfAnswer = (base: Frame, word: string): boolean => {
  const folded = foldText(word)
  const names = [
    ...base.tables.flatMap(table => table.words),
    ...base.outputs.flatMap(output => {
      if (output.kind === 'measure') {
        return [...(output.measure.column?.words ?? []), ...(output.measure.table?.words ?? [])]
      }
      return output.kind === 'all' ? (output.table?.words ?? []) : output.column.words
    }),
  ]
  return names.some(({ stems }) => stems.some(stem => folded.startsWith(stem) || stem.startsWith(folded)))
}

/** A "why" question that fits an answer: about its last complete period, or about one of its groups. */
export const suggestWhyQuestion = (
  frame: Frame,
  { askedAt }: Pick<ChainLink, 'askedAt'>,
  { timeZone }: EditContext,
): readonly string[] => {
  const period = frame.groups.find(({ unit }) => unit !== null)
  if (period?.unit) {
    const today = DateTime.fromISO(askedAt, { zone: timeZone }).startOf('day')
    const ends = frame.conditions.flatMap(({ test }) =>
      test.kind === 'period' && test.span.until
        ? [DateTime.fromISO(test.span.until, { zone: timeZone })]
        : [],
    )
    const end = DateTime.min(today, ...ends).startOf(period.unit)
    const from = end.minus({ [`${period.unit}s`]: 1 }).toISODate()
    const until = end.toISODate()
    // A week is named by its days, which nobody would ask about.
    return from && until && period.unit !== 'week' ? [`why is ${formatPeriod({ from, until })} low?`] : []
  }
  const value = frame.groups[0]?.column.column.profile?.mostFrequent[0]?.value
  return typeof value === 'string' && value !== '' ? [`why is ${value} high?`] : []
}

/** Days of a period (ISO), `until` excluded. */
export interface DayRange {
  readonly from: string
  readonly until: string
}

const parseDay = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' })

const formatDay = (day: DateTime): string => day.toISODate() ?? ''

/** The period of the same length just before: the month before a month, seven days before a week. */
const precedingPeriod = ({ from, until }: DayRange): DayRange => {
  const [start, end] = [parseDay(from), parseDay(until)]
  const months = end.diff(start, 'months').months
  const isMonths = start.day === 1 && Number.isInteger(months) && months > 0
  const length = isMonths ? { months } : { days: Math.max(1, end.diff(start, 'days').days) }
  return { from: formatDay(start.minus(length)), until: from }
}

/** A period as people say it: `March 2026`, `Q1 2026`, `2026`, `May 5, 2026`, else its first and last day. */
export const formatPeriod = ({ from, until }: DayRange): string => {
  const [start, end] = [parseDay(from), parseDay(until)]
  const is = (unit: 'year' | 'quarter' | 'month' | 'day'): boolean =>
    start.startOf(unit).equals(start) && start.plus({ [`${unit}s`]: 1 }).equals(end)
  if (is('year')) return start.toFormat('yyyy')
  if (is('quarter')) return start.toFormat("'Q'q yyyy")
  if (is('month')) return start.setLocale('en').toFormat('LLLL yyyy')
  if (is('day')) return start.setLocale('en').toFormat('LLLL d, yyyy')
  return formatDays(from, until)
}
