/** Months by their English names and usual abbreviations, counted from 1. `may` is also a verb: see `find-periods`. */
export const monthNumbers: ReadonlyMap<string, number> = new Map(
  `january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec`
    .split('|')
    .flatMap((names, index) => names.split(' ').map(name => [name, index + 1] as const)),
)

export const monthPattern =
  '(?:january|jan\\.?|february|feb\\.?|march|mar\\.?|april|apr\\.?|may|june|jun\\.?|july|jul\\.?|august|aug\\.?|september|sept?\\.?|october|oct\\.?|november|nov\\.?|december|dec\\.?)'

export const weekdayPattern = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'

/** Weekdays as luxon counts them: Monday is 1. */
export const weekdayNumbers: ReadonlyMap<string, number> = new Map(
  'monday tuesday wednesday thursday friday saturday sunday'
    .split(' ')
    .map((name, index) => [name, index + 1]),
)

/** Numbers that are written as words where people count units of time. */
export const smallNumbers: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((name, index) => [name, index + 1]),
)

export const numberPattern =
  '(?:\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a|an|the)'

export const unitPattern = '(?:day|week|month|quarter|year)'
