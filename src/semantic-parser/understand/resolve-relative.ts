import type { DateTime } from 'luxon'
import type { DaySpan } from './resolve-absolute.ts'
import { numberPattern, smallNumbers, unitPattern, weekdayNumbers, weekdayPattern } from './time-words.ts'

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Relative periods, as the source of a pattern without groups. */
export const relativePattern = [
  'today|yesterday|tomorrow|the day before yesterday',
  `(?:the )?(?:last|past|previous|prior|next|coming|trailing) ${numberPattern} (?:full |whole )?(?:calendar )?${unitPattern}s?`,
  `(?:the )?(?:last|past|previous|prior|this|current|next|coming) (?:calendar )?${unitPattern}(?! ?to ?date)`,
  `(?:the )?(?:month|quarter|year|week)[- ]to[- ]date`,
  'ytd|mtd|qtd|wtd',
  `so far this ${unitPattern}|this ${unitPattern} so far|this ${unitPattern} to date`,
  `${numberPattern} ${unitPattern}s? ago`,
  `(?:last|this|next) ${weekdayPattern}`,
].join('|')

/**
 * The days that relative words mean, `today` being the start of the current day in the asker's zone. "Last month" is
 * the calendar month before this one; "last 3 months" and "past month" roll and end with today; weeks start on Monday.
 */
export const resolveRelative = (words: string, today: DateTime): DaySpan | null => {
  const text = words
    .toLowerCase()
    .replace(/^the /, '')
    .replace(/\b(full|whole|calendar) /g, '')
  const day = (from: DateTime): DaySpan => ({ from, until: from.plus({ days: 1 }) })
  if (text === 'today') return day(today)
  if (text === 'yesterday') return day(today.minus({ days: 1 }))
  if (text === 'tomorrow') return day(today.plus({ days: 1 }))
  if (text === 'day before yesterday') return day(today.minus({ days: 2 }))
  const toDate = text.match(/(week|month|quarter|year)(?:[- ]to[- ]date| so far)|so far this (\w+)/)
  const short = text.match(/^([wmqy])td$/)?.[1]
  const unitToDate = toDate?.[1] ?? toDate?.[2] ?? (short && shortUnits[short])
  if (unitToDate) return { from: today.startOf(asUnit(unitToDate)), until: today.plus({ days: 1 }) }
  const ago = text.match(/^(\w+) (day|week|month|quarter|year)s? ago$/)
  if (ago) return unitAgo(numberOf(ago[1]), asUnit(ago[2]), today)
  const weekday = weekdayNumbers.get(text.match(/ (\w+)$/)?.[1] ?? '')
  if (weekday !== undefined) return day(weekdayOf(text.split(' ')[0] ?? '', weekday, today))
  const many = text.match(/^(\w+) (\w+) (day|week|month|quarter|year)s?$/)
  if (many) return rolling(many[1] ?? '', numberOf(many[2]), asUnit(many[3]), today)
  const one = text.match(/^(\w+) (day|week|month|quarter|year)$/)
  return one ? single(one[1] ?? '', asUnit(one[2]), today) : null
}

const shortUnits: Readonly<Record<string, string>> = { w: 'week', m: 'month', q: 'quarter', y: 'year' }

const asUnit = (word: string | undefined): Unit =>
  word === 'day' || word === 'week' || word === 'quarter' || word === 'year' ? word : 'month'

const numberOf = (word: string | undefined): number =>
  word === undefined ? 1 : /^\d+$/.test(word) ? Number(word) : (smallNumbers.get(word) ?? 1)

const single = (which: string, unit: Unit, today: DateTime): DaySpan => {
  if (which === 'past') return rolling('last', 1, unit, today)
  const from = today.startOf(unit)
  if (which === 'this' || which === 'current') return { from, until: from.plus({ [unit]: 1 }) }
  if (which === 'next' || which === 'coming') {
    return { from: from.plus({ [unit]: 1 }), until: from.plus({ [unit]: 2 }) }
  }
  return { from: from.minus({ [unit]: 1 }), until: from }
}

/** N units that end with today or, for the next N, begin with tomorrow. */
const rolling = (which: string, count: number, unit: Unit, today: DateTime): DaySpan => {
  const tomorrow = today.plus({ days: 1 })
  return which === 'next' || which === 'coming'
    ? { from: tomorrow, until: tomorrow.plus({ [unit]: count }) }
    : { from: tomorrow.minus({ [unit]: count }), until: tomorrow }
}

const unitAgo = (count: number, unit: Unit, today: DateTime): DaySpan => {
  const from = today.minus({ [unit]: count }).startOf(unit)
  return { from, until: from.plus({ [unit]: 1 }) }
}

const weekdayOf = (which: string, weekday: number, today: DateTime): DateTime => {
  const inThisWeek = today.startOf('week').plus({ days: weekday - 1 })
  if (which === 'this') return inThisWeek
  if (which === 'next') return inThisWeek > today ? inThisWeek : inThisWeek.plus({ weeks: 1 })
  return inThisWeek < today ? inThisWeek : inThisWeek.minus({ weeks: 1 })
}
