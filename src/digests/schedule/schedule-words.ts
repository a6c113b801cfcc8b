import { formatList, parseScheduleDays, type ScheduleDays } from './schedule-days.ts'

/** A schedule as cron, and as a normalized phrase. */
interface ParsedScheduleWords {
  readonly cron: string
  readonly words: string
}

/** The time if none is given. The phrase includes it, so a person filling in a form sees it. */
const usualTime: ClockTime = { hour: 9, minute: 0 }

/**
 * Parses a schedule in plain words: how often, on which days, at which times. `unclear` is a sentence for the person;
 * null if nothing is understood.
 */
export const parseScheduleWords = (
  text: string,
): ParsedScheduleWords | { readonly unclear: string } | null => {
  const normalized = text
    .toLowerCase()
    .replace(/[,;]+/g, ' , ')
    .replace(/\s+/g, ' ')
    .replace(/\b([ap])\.m\./g, '$1m')
    .replace(/ (?:through|thru) /g, ' to ')
    .replace(/^(please |post |send |run )+/, '')
    .replace(/[ ,.]+$/, '')
    .trim()
  if (
    /\b(every|each) (other|second)\b|\b(fortnight(ly)?|bi-?weekly|bi-?monthly)\b|\bevery (2|two|3|three|4|four) weeks\b/.test(
      normalized,
    )
  )
    return { unclear: "I can't schedule every other week or day" }
  return parseInterval(normalized) ?? parseDaysAndTimes(normalized)
}

const numbers = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

const countOf = (word: string | undefined): number => {
  if (word === undefined) return 1
  const index = numbers.indexOf(word)
  return index >= 0 ? index + 1 : Number(word)
}

/** `hourly`, `every 15 minutes`, `every 2 hours`, `every hour at :30`. */
const parseInterval = (normalized: string): ParsedScheduleWords | { readonly unclear: string } | null => {
  if (/^(hourly|(every|each) hour)$/.test(normalized)) return { cron: '0 * * * *', words: 'every hour' }
  const past =
    /^(?:hourly|(?:every|each) hour)(?: at| on)? (?::|minute )?(\d{1,2})(?: (?:minutes )?past)?$/.exec(
      normalized,
    )
  if (past) {
    const minute = Number(past[1])
    if (minute > 59) return { unclear: `an hour has no minute ${minute}` }
    return { cron: `${minute} * * * *`, words: `every hour at minute ${minute}` }
  }
  const match = /^(?:every|each) (?:(\d{1,3}|[a-z]+)[ -]?)??(minutes?|mins?|hours?|hrs?)$/.exec(normalized)
  const count = match ? countOf(match[1]) : Number.NaN
  if (!match || !Number.isInteger(count) || count < 1) return null
  const isHours = match[2]?.startsWith('h')
  const whole = isHours ? 24 : 60
  if (!isHours && count === 60) return { cron: '0 * * * *', words: 'every hour' }
  if (count >= whole || whole % count !== 0) {
    const fitting = (isHours ? [1, 2, 3, 4, 6, 8, 12] : [5, 6, 10, 12, 15, 20, 30]).join(', ')
    return {
      unclear: `I can repeat every ${fitting} ${isHours ? 'hours' : 'minutes'}, but not every ${count}`,
    }
  }
  if (isHours) {
    if (count === 1) return { cron: '0 * * * *', words: 'every hour' }
    return { cron: `0 */${count} * * *`, words: `every ${count} hours` }
  }
  return { cron: `*/${count} * * * *`, words: count === 1 ? 'every minute' : `every ${count} minutes` }
}

/** `every weekday at 9`, `mon and thu 08:30 and 17:00`, `at noon every day`. */
const parseDaysAndTimes = (normalized: string): ParsedScheduleWords | { readonly unclear: string } | null => {
  const { rest, times } = takeTimes(normalized)
  const days = rest === '' && times.length > 0 ? everyDay : parseScheduleDays(rest)
  if (days === null) return null
  if ('unclear' in days) return days
  const at = times.length > 0 ? times : [usualTime]
  const minutes = [...new Set(at.map(({ minute }) => minute))]
  if (minutes.length > 1)
    return { unclear: 'all times of one schedule must be at the same minute past the hour' }
  const hours = [...new Set(at.map(({ hour }) => hour))].sort((a, b) => a - b)
  const written = hours.map(hour => `${pad(hour)}:${pad(minutes[0] ?? 0)}`)
  return {
    cron: `${minutes[0]} ${hours.join(',')} ${days.cron}`,
    words: `${days.words} at ${formatList(written)}`,
  }
}

const everyDay: ScheduleDays = { cron: '* * *', words: 'every day' }

const pad = (value: number): string => String(value).padStart(2, '0')

const oneTime = String.raw`(?:noon|midday|midnight|\d{1,2}(?:[:.h]\d{2}|h)?(?: ?(?:am|pm|o'?clock|uhr|hrs?))?)`

const someTimes = `${oneTime}(?: ?(?:,|and|&) ?(?:at )?${oneTime})*`

const timesSaid = new RegExp(`(?:^| )(?:at |@ ?)(${someTimes})(?= |$)`)

/** Without `at`, a bare number may be a day; with minutes or am/pm it is a time. */
const timesBare = new RegExp(
  String.raw`(?:^| )((?:noon|midday|midnight|\d{1,2}[:.h]\d{2}(?: ?(?:am|pm))?|\d{1,2} ?(?:am|pm|o'?clock|uhr|hrs?)|\d{1,2}h)(?: ?(?:,|and|&) ?${oneTime})*)(?= |$)`,
)

/** After the name of a day, a bare number is a time: `mondays 9`. */
const timeLast = /(?<=(?:day|days|mon|tue|wed|thu|fri|sat|sun|daily) )(\d{1,2})$/

const takeTimes = (normalized: string): { readonly rest: string; readonly times: readonly ClockTime[] } => {
  for (const pattern of [timesSaid, timesBare, timeLast]) {
    const match = pattern.exec(normalized)
    if (!match?.[1]) continue
    const times = match[1].split(/ ?(?:,|\band\b|&) ?(?:at )?/).map(time => parseClockTime(time.trim()))
    if (!times.every(time => time !== null)) continue
    const rest = `${normalized.slice(0, match.index)} ${normalized.slice(match.index + match[0].length)}`
    return {
      rest: rest
        .replace(/\s+/g, ' ')
        .replace(/^[ ,]+/, '')
        .replace(/[ ,]+$/, '')
        .trim(),
      times,
    }
  }
  return { rest: normalized, times: [] }
}

/** An hour and minute of the day. */
interface ClockTime {
  readonly hour: number
  readonly minute: number
}

/** Parses `9`, `9am`, `09:30`, `5.30pm`, `noon`, `18h`; null if it is no time of day. */
const parseClockTime = (text: string): ClockTime | null => {
  if (text === 'noon' || text === 'midday') return { hour: 12, minute: 0 }
  if (text === 'midnight') return { hour: 0, minute: 0 }
  const match = /^(\d{1,2})(?:[:.h](\d{2})|h)?(?: ?(am|pm|o'?clock|uhr|hrs?))?$/.exec(text)
  if (!match) return null
  const half = match[3]?.[0]
  const hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  if (minute > 59) return null
  if (half === 'a' || half === 'p') {
    if (hour < 1 || hour > 12) return null
    return { hour: (hour % 12) + (half === 'p' ? 12 : 0), minute }
  }
  return hour > 23 ? null : { hour, minute }
}
