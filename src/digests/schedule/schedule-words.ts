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

/** The days of a schedule: the last three fields of a cron line, and in words. */
interface ScheduleDays {
  readonly cron: string
  readonly words: string
}

const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const ordinals = 'first second third fourth fifth'.split(' ')

/** Reads `every weekday`, `mondays and thursdays`, `mon-fri`, `the 1st and 15th of the month`, `last day of the month`. */
const parseScheduleDays = (text: string): ScheduleDays | { readonly unclear: string } | null => {
  const normalized = text
    .replace(/^(on|every|each|the) /, '')
    .replace(/^(on|every|each|the) /, '')
    .replace(/^(weekly|monthly|every week|every month|week|month)( on)?( the)? (?=.)/, '')
    .trim()
  if (/^(daily|day|days|morning)$/.test(normalized)) return { cron: '* * *', words: 'every day' }
  if (/^(weekdays?|work(ing)? ?days?|business days?|week ?days)$/.test(normalized))
    return { cron: '* * 1-5', words: 'every weekday' }
  if (/^(weekends?|weekend days?)$/.test(normalized))
    return { cron: '* * 0,6', words: 'every Saturday and Sunday' }
  if (/^(weekly|week)$/.test(normalized)) return { cron: '* * 1', words: 'every Monday' }
  if (/^(monthly|month)$/.test(normalized)) return { cron: '1 * *', words: 'on the 1st of each month' }
  if (/^(quarterly|quarter|(first|1st) (day )?of (the|each|every) quarter)$/.test(normalized))
    return { cron: '1 1,4,7,10 *', words: 'on the 1st of each quarter' }
  return parseMonthDays(normalized) ?? parseWeekdays(normalized)
}

const ofMonth = `(?: of (?:the|each|every) month| (?:each|every|a) month|(?: day)? of (?:the|each|every) month)?`

const parseMonthDays = (normalized: string): ScheduleDays | { readonly unclear: string } | null => {
  if (
    new RegExp(`^last day${ofMonth}$`).test(normalized) ||
    /^end of (the|each|every) month$/.test(normalized)
  )
    return { cron: 'L * *', words: 'on the last day of each month' }
  const weekday =
    /^(first|second|third|fourth|last|1st|2nd|3rd|4th) ([a-z]+?)s?(?: of (?:the|each|every) month| (?:each|every) month)?$/.exec(
      normalized,
    )
  const which = weekday ? weekdayOf(weekday[2] ?? '') : null
  if (weekday && which !== null) {
    const name = weekdays[which]
    if (weekday[1] === 'last') return { cron: `* * ${which}L`, words: `on the last ${name} of each month` }
    const nth = ordinals.indexOf(weekday[1] ?? '') + 1 || Number(weekday[1]?.[0])
    return { cron: `* * ${which}#${nth}`, words: `on the ${ordinals[nth - 1]} ${name} of each month` }
  }
  const yearly =
    /^(?:yearly |annually )?(?:on )?(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?([a-z]+)|([a-z]+) (\d{1,2})(?:st|nd|rd|th)?)(?: of (?:the|each|every) year)?$/.exec(
      normalized,
    )
  const month = yearly ? monthOf(yearly[2] ?? yearly[3] ?? '') : null
  if (yearly && month !== null) {
    const day = Number(yearly[1] ?? yearly[4])
    if (day < 1 || day > 31) return { unclear: `there is no day ${day} in a month` }
    return { cron: `${day} ${month + 1} *`, words: `on ${day} ${months[month]} of each year` }
  }
  if (new RegExp(`^(?:first|1st)(?: day)?${ofMonth}$`).test(normalized))
    return { cron: '1 * *', words: 'on the 1st of each month' }
  const days = new RegExp(
    String.raw`^((?:the )?\d{1,2}(?:st|nd|rd|th)(?: ?(?:,|and|&) ?(?:the )?\d{1,2}(?:st|nd|rd|th))*)${ofMonth}$`,
  ).exec(normalized)
  if (!days) return null
  const numbers = [...(days[1] ?? '').matchAll(/\d+/g)].map(([day]) => Number(day)).sort((a, b) => a - b)
  const wrong = numbers.find(day => day < 1 || day > 31)
  if (wrong !== undefined) return { unclear: `there is no day ${wrong} in a month` }
  return {
    cron: `${numbers.join(',')} * *`,
    words: `on the ${formatList(numbers.map(ordinalOf))} of each month`,
  }
}

const ordinalOf = (day: number): string => {
  const teens = day % 100 >= 11 && day % 100 <= 13
  return `${day}${teens ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th')}`
}

const parseWeekdays = (normalized: string): ScheduleDays | null => {
  const range = /^([a-z]+) ?(?:-|–|to|through|until) ?([a-z]+)$/.exec(normalized)
  if (range) {
    const [from, to] = [weekdayOf(range[1] ?? ''), weekdayOf(range[2] ?? '')]
    if (from === null || to === null) return null
    const days: number[] = []
    for (let day = from; ; day = (day + 1) % 7) {
      days.push(day)
      if (day === to) break
    }
    return { cron: `* * ${inOrder(days)}`, words: `every ${weekdays[from]} to ${weekdays[to]}` }
  }
  const days = normalized
    .split(/ ?(?:,|\band\b|&|\/) ?/)
    .filter(part => part !== '')
    .map(part => weekdayOf(part.replace(/^(on|every|each) /, '')))
  if (days.length === 0 || !days.every(day => day !== null)) return null
  // The week begins on Monday, for people.
  const sorted = [...new Set(days)].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
  return {
    cron: `* * ${inOrder(sorted)}`,
    words: `every ${formatList(sorted.map(day => weekdays[day] ?? ''))}`,
  }
}

const inOrder = (days: readonly number[]): string => [...days].sort((a, b) => a - b).join(',')

const indexOf = (names: readonly string[], word: string, shortest: number): number | null => {
  const wanted = word.replace(/\.$/, '').replace(/s$/, '')
  if (wanted.length < shortest) return null
  const found = names.findIndex(name => name.toLowerCase().startsWith(wanted))
  return found < 0 ? null : found
}

const weekdayOf = (word: string): number | null =>
  indexOf(weekdays, word === 'tues' ? 'tue' : word === 'thurs' || word === 'thur' ? 'thu' : word, 3)

const monthOf = (word: string): number | null => indexOf(months, word, 3)

/** `a`, `a and b`, `a, b and c`. */
const formatList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
