const longMonths = namesOf({ month: 'long' }, 12, index => Date.UTC(2001, index, 15))

const shortMonths = namesOf({ month: 'short' }, 12, index => Date.UTC(2001, index, 15))

const longDays = namesOf({ weekday: 'long' }, 7, index => Date.UTC(2001, 0, 1 + index))

const shortDays = namesOf({ weekday: 'short' }, 7, index => Date.UTC(2001, 0, 1 + index))

function namesOf(
  style: Intl.DateTimeFormatOptions,
  count: number,
  at: (index: number) => number,
): readonly string[] {
  const format = new Intl.DateTimeFormat('en', { ...style, timeZone: 'UTC' })
  return Array.from({ length: count }, (_, index) => format.format(at(index)))
}

const forms: ReadonlyMap<string, string> = new Map(
  [...zip(longMonths, shortMonths), ...zip(longDays, shortDays)].flatMap(([long, short]) => [
    [long.toLowerCase(), short] as const,
    [short.toLowerCase(), long] as const,
  ]),
)

function zip(long: readonly string[], short: readonly string[]): readonly (readonly [string, string])[] {
  return long.map((name, index) => [name, short[index] ?? name] as const)
}

/** The short name of a month or weekday for its long one, and the reverse; null for anything else. */
export const calendarForm = (word: string): string | null => {
  const form = forms.get(word.toLowerCase().replace(/\.$/, '')) ?? null
  return form?.toLowerCase() === word.toLowerCase() ? null : form
}

/** The number of a month, from 1, by its long or short name; null for anything else. */
export const monthNumber = (word: string): number | null => {
  const folded = word.toLowerCase().replace(/\.$/, '')
  const index = longMonths.findIndex(
    (month, at) =>
      month.toLowerCase() === folded ||
      shortMonths[at]?.toLowerCase() === folded ||
      (at === 8 && folded === 'sept'),
  )
  return index < 0 ? null : index + 1
}

/** Words that databases often store as a letter or digit, and those forms. */
export const codeValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['female', ['f', 'female', 'w']],
  ['woman', ['f', 'female', 'w']],
  ['girl', ['f', 'female']],
  ['male', ['m', 'male']],
  ['man', ['m', 'male']],
  ['boy', ['m', 'male']],
  ['yes', ['y', 'yes', 't', 'true', '1']],
  ['true', ['t', 'true', 'y', 'yes', '1']],
  ['no', ['n', 'no', 'f', 'false', '0']],
  ['false', ['f', 'false', 'n', 'no', '0']],
])
