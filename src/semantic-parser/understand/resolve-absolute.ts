import { DateTime } from 'luxon'
import { monthNumbers, monthPattern } from './time-words.ts'

/** Days from `from`, `until` excluded. */
export interface DaySpan {
  readonly from: DateTime
  readonly until: DateTime
}

/** One way to write a day, month, quarter, half or year, as the source of a pattern without groups. */
export const absolutePattern = [
  '\\d{4}-\\d{1,2}-\\d{1,2}',
  `${monthPattern} \\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\\d\\d`,
  `\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${monthPattern},?(?: of)? (?:19|20)\\d\\d`,
  `${monthPattern},?(?: of| in)? (?:19|20)\\d\\d`,
  `${monthPattern} \\d{1,2}(?:st|nd|rd|th)?`,
  `\\d{1,2}(?:st|nd|rd|th)(?: of)? ${monthPattern}`,
  '\\d{4}-\\d{2}(?!-?\\d)',
  'q[1-4](?:,? (?:of )?(?:(?:19|20)\\d\\d))?',
  '(?:the )?(?:first|second|third|fourth|1st|2nd|3rd|4th|last) quarter of (?:19|20)\\d\\d',
  '(?:19|20)\\d\\d[- ]?q[1-4]',
  'h[12],? (?:of )?(?:19|20)\\d\\d',
  '(?:the )?(?:first|second|1st|2nd) half of (?:19|20)\\d\\d',
  monthPattern,
  '(?:the year )?(?:19|20)\\d\\d',
].join('|')

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  last: 4,
}

/**
 * The days that absolute words mean, `today` being the start of the current day in the asker's zone. A month or day
 * without a year is the latest that has begun. Null for what is no day of the calendar.
 */
export const resolveAbsolute = (words: string, today: DateTime): DaySpan | null => {
  const text = words
    .toLowerCase()
    .replace(/[.,]/g, ' ')
    .replace(/\b(the|of|in)\b/g, ' ')
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  const iso = text.match(/^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/)
  if (iso) {
    return iso[3] === undefined
      ? span(today, { year: Number(iso[1]), month: Number(iso[2]) }, 'month')
      : span(today, { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }, 'day')
  }
  const year = Number(text.match(/\b((?:19|20)\d\d)\b/)?.[1] ?? Number.NaN)
  const quarter = text.match(/q([1-4])/)?.[1] ?? quarterOrdinal(words)
  if (quarter !== null) return quarterOf(Number(quarter), year, today)
  const half = text.match(/\bh([12])\b/)?.[1] ?? halfOrdinal(words)
  if (half !== null && !Number.isNaN(year)) {
    const from = at(today, { year, month: half === '1' || half === 1 ? 1 : 7 })
    return from && { from, until: from.plus({ months: 6 }) }
  }
  const month = [...text.matchAll(/[a-z]+/g)]
    .map(match => monthNumbers.get(match[0]))
    .find(found => found !== undefined)
  if (month === undefined) return Number.isNaN(year) ? null : span(today, { year }, 'year')
  const day = Number(text.match(/\b(\d{1,2})\b/)?.[1] ?? Number.NaN)
  const unit = Number.isNaN(day) ? 'month' : 'day'
  const parts = Number.isNaN(day) ? { month } : { month, day }
  if (!Number.isNaN(year)) return span(today, { ...parts, year }, unit)
  const thisYear = span(today, { ...parts, year: today.year }, unit)
  return thisYear && thisYear.from <= today ? thisYear : span(today, { ...parts, year: today.year - 1 }, unit)
}

const quarterOrdinal = (words: string): number | null => {
  const found = words.toLowerCase().match(/(\w+) quarter/)?.[1]
  return found === undefined ? null : (ordinals[found] ?? null)
}

const halfOrdinal = (words: string): number | null => {
  const found = words.toLowerCase().match(/(\w+) half/)?.[1]
  return found === undefined ? null : (ordinals[found] ?? null)
}

const quarterOf = (quarter: number, year: number, today: DateTime): DaySpan | null => {
  const month = (quarter - 1) * 3 + 1
  const own = span(today, { year: Number.isNaN(year) ? today.year : year, month }, 'quarter')
  if (!Number.isNaN(year) || !own || own.from <= today) return own
  return span(today, { year: today.year - 1, month }, 'quarter')
}

const span = (
  today: DateTime,
  parts: { year: number; month?: number; day?: number },
  unit: 'day' | 'month' | 'quarter' | 'year',
): DaySpan | null => {
  const from = at(today, parts)
  return from && { from, until: from.plus({ [unit]: 1 }) }
}

const at = (today: DateTime, parts: { year: number; month?: number; day?: number }): DateTime | null => {
  const made = DateTime.fromObject({ month: 1, day: 1, ...parts }, { zone: today.zone })
  return made.isValid ? made : null
}
