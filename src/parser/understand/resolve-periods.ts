import { DateTime } from 'luxon'

/** Months by their English names and usual abbreviations, counted from 1. `may` is also a verb: see `find-periods`. */
const monthNumbers: ReadonlyMap<string, number> = new Map(
  `january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec`
    .split('|')
    .flatMap((names, index) => names.split(' ').map(name => [name, index + 1] as const)),
)

export const monthPattern =
  '(?:january|jan\\.?|february|feb\\.?|march|mar\\.?|april|apr\\.?|may|june|jun\\.?|july|jul\\.?|august|aug\\.?|september|sept?\\.?|october|oct\\.?|november|nov\\.?|december|dec\\.?)'

export const weekdayPattern = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'

/** Weekdays as luxon counts them: Monday is 1. */
const weekdayNumbers: ReadonlyMap<string, number> = new Map(
  'monday tuesday wednesday thursday friday saturday sunday'
    .split(' ')
    .map((name, index) => [name, index + 1]),
)

/** Numbers that people write as words with units of time. */
const smallNumbers: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((name, index) => [name, index + 1]),
)

export const numberPattern =
  '(?:\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a|an|the)'

export const unitPattern = '(?:day|week|month|quarter|year)'

/** Days from `from`, `until` excluded. */
export interface DaySpan {
  readonly from: DateTime
  readonly until: DateTime
}

/** Matches an absolute day, month, quarter, half or year; the source of a pattern without groups. */
export const absolutePattern = [
  '\\d{4}-\\d{1,2}-\\d{1,2}',
  `${monthPattern} \\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\\d\\d`,
  `\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${monthPattern},?(?: of)? (?:19|20)\\d\\d`,
  `(?:${monthPattern}|q[1-4]|(?:the )?(?:first|second) half),?(?: of| in)? (?:last|this|the (?:last|previous|prior)) year`,
  `${monthPattern},?(?: of| in)? (?:19|20)\\d\\d`,
  `${monthPattern} \\d{1,2}(?:st|nd|rd|th)?`,
  `\\d{1,2}(?:st|nd|rd|th)(?: of)? ${monthPattern}`,
  '\\d{4}-\\d{2}(?!-?\\d)',
  'q[1-4](?:,? (?:of )?(?:(?:19|20)\\d\\d))?',
  '(?:the )?(?:first|second|third|fourth|1st|2nd|3rd|4th|last) quarter of (?:19|20)\\d\\d',
  'the (?:first|second|third|fourth|1st|2nd|3rd|4th) quarter(?! of)',
  '(?:19|20)\\d\\d[- ]?q[1-4]',
  'h[12],? (?:of )?(?:19|20)\\d\\d',
  '(?:the )?(?:first|second|1st|2nd) half of (?:19|20)\\d\\d',
  monthPattern,
  '(?:the year )?(?:19|20)\\d\\d',
  '(?:the )?(?:last|past|previous|this|next) (?:spring|summer|autumn|fall|winter)',
  '(?:spring|summer|autumn|fall|winter)(?: of)? (?:19|20)\\d\\d',
  // "In summer", and not "in winter jackets".
  '(?<=\\b(?:in|during|over|since) (?:the )?)(?:spring|summer|autumn|winter)(?=\\s*(?:[?.!,]|$))',
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
 * The days that absolute words mean; `today` is the start of the current day in the asker's time zone. A month or day
 * without a year is the latest that has begun. Null if there is no such day.
 */
export const resolveAbsolute = (words: string, today: DateTime): DaySpan | null => {
  const text = words
    .toLowerCase()
    .replace(/(?<=\w )(?:the )?(last|previous|prior|this) year$/, (_, which: string) =>
      String(which === 'this' ? today.year : today.year - 1),
    )
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
  const season = seasonOf(text, year, today)
  if (season !== null) return season
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

/** The first months of the seasons of the northern half, as weather services and shops count them. */
const seasonStarts: Readonly<Record<string, number>> = {
  spring: 3,
  summer: 6,
  autumn: 9,
  fall: 9,
  winter: 12,
}

/**
 * Three whole months. Without a year, the latest season that has begun; the last one is over; "this summer" is that of the
 * current year, and "this winter" the one that is on or comes next. A winter with a year begins in that year.
 */
const seasonOf = (text: string, year: number, today: DateTime): DaySpan | null => {
  const name = /\b(spring|summer|autumn|fall|winter)\b/.exec(text)?.[1]
  const month = seasonStarts[name ?? '']
  if (month === undefined) return null
  const inYear = (which: number): DaySpan | null => {
    const from = at(today, { year: which, month })
    return from && { from, until: from.plus({ months: 3 }) }
  }
  if (!Number.isNaN(year)) return inYear(year)
  const seasons = [-2, -1, 0, 1].map(years => inYear(today.year + years)).filter(one => one !== null)
  if (/^next\b/.test(text)) return seasons.find(({ from }) => from > today) ?? null
  if (/^this\b/.test(text)) return seasons.find(({ until }) => until > today.startOf('year')) ?? null
  const isOver = /^(?:last|past|previous)\b/.test(text)
  return seasons.findLast(({ from, until }) => (isOver ? until : from) <= today) ?? null
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

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Matches a relative period; the source of a pattern without groups. */
export const relativePattern = [
  `(?:last|this|next|the|the last) weekend`,
  `on ${weekdayPattern}|(?<=(?:since|until|before|after) )${weekdayPattern}`,
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
 * The days that relative words mean; `today` is the start of the current day in the asker's time zone. "Last month"
 * is the calendar month before this one; "last 3 months" and "past month" end with today; weeks start on Monday.
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
  if (text.endsWith('weekend')) return weekendOf(text, today)
  const toDate = text.match(/(week|month|quarter|year)(?:[- ]to[- ]date| so far)|so far this (\w+)/)
  const short = text.match(/^([wmqy])td$/)?.[1]
  const unitToDate = toDate?.[1] ?? toDate?.[2] ?? (short && shortUnits[short])
  if (unitToDate) return { from: today.startOf(asUnit(unitToDate)), until: today.plus({ days: 1 }) }
  const ago = text.match(/^(\w+) (day|week|month|quarter|year)s? ago$/)
  if (ago) return unitAgo(numberOf(ago[1]), asUnit(ago[2]), today)
  const weekday = weekdayNumbers.get(text.match(/(?:^| )(\w+)$/)?.[1] ?? '')
  if (weekday !== undefined) return day(weekdayOf(text.split(' ')[0] ?? '', weekday, today))
  const many = text.match(
    /^(last|past|previous|prior|next|coming|trailing) (\w+) (day|week|month|quarter|year)s?$/,
  )
  if (many) return rolling(many[1] ?? '', numberOf(many[2]), asUnit(many[3]), today)
  const one = text.match(/^(\w+) (day|week|month|quarter|year)$/)
  return one ? single(one[1] ?? '', asUnit(one[2]), today) : null
}

/** Saturday and Sunday of this week, of the week before, or of the next. */
const weekendOf = (text: string, today: DateTime): DaySpan => {
  const own = today.startOf('week').plus({ days: 5 })
  const isOver = text.startsWith('last') || (text === 'weekend' && own > today)
  const from = isOver ? own.minus({ weeks: 1 }) : text.startsWith('next') ? own.plus({ weeks: 1 }) : own
  return { from, until: from.plus({ days: 2 }) }
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

/** N units that end with today, or begin tomorrow for the next N. */
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
