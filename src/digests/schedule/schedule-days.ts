/** The days of a schedule: the last three fields of a cron line, and in words. */
export interface ScheduleDays {
  readonly cron: string
  readonly words: string
}

const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const ordinals = 'first second third fourth fifth'.split(' ')

/** Reads `every weekday`, `mondays and thursdays`, `mon-fri`, `the 1st and 15th of the month`, `last day of the month`. */
export const parseScheduleDays = (text: string): ScheduleDays | { readonly unclear: string } | null => {
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
export const formatList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
