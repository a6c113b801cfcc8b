import type { ChainLink } from '../../core/thread.ts'
import type { TimeSpan, Understanding } from '../../core/understanding.ts'
import { foldText } from '../../lib/fold-text.ts'
import { type EditContext, understandEdit } from '../follow-up/edit-readings.ts'
import type { Frame } from '../frame/frame.ts'
import { functionWords } from '../lexicon/function-words.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import { type DayRange, precedingPeriod } from './period-in-words.ts'

/** What a "why" is about. `unnamed`: it names nothing; `unknown`: what it names is not in the answer. */
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

/** Words that say how a number is, or how it moved, and not which number. */
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

/** Finds which period, or which group, of an answer a "why" is about. */
export const findSubject = (
  base: Frame,
  { text, askedAt }: Pick<ChainLink, 'text' | 'askedAt'>,
  parts: EditContext,
): BreakdownSubject => {
  const words = text
    .split(/[^\p{L}\p{N}'’&.-]+/u)
    .map(word => word.replace(/^[.'’-]+|[.'’-]+$/g, '').replace(/['’]s$/, ''))
    .filter(word => word !== '' && !changeWords.has(foldText(word)))
  const said = understandEdit(text.replace(/^\W*(?:why|how come)\b/i, ''), base, askedAt, parts)
  const group = findGroup(base, words, parts)
  // A group may be called as a month is; where rows are periods, it is the period.
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

/** A period is said in so many words at most: "the first quarter of 2026". */
const LONGEST_PERIOD = 5

/** "March lower than February": runs of words that are periods once "in" stands before them, in order. */
const periodsIn = (
  base: Frame,
  words: readonly string[],
  askedAt: string,
  parts: EditContext,
): readonly Understanding[] => {
  const found: Understanding[] = []
  for (let at = 0; at < words.length; at += 1) {
    for (let length = Math.min(LONGEST_PERIOD, words.length - at); length > 0; length -= 1) {
      const read = understandEdit(`in ${words.slice(at, at + length).join(' ')}`, base, askedAt, parts)
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

/** The one period that the whole answer is of. */
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

/** What the answer is of may be named again: "why is revenue low in March?". */
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
