/** Parts of a moment that dialects name alike. */
export type Unit = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'

const units: readonly Unit[] = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second']

/** `days`, `MONTH` or `'year'` as a unit; null if it is none. */
export const unitNamed = (text: string): Unit | null =>
  units.find(unit => unit === text.toLowerCase().replace(/s$/, '')) ?? null

/** What a function does that dialects call by different names. Arguments are SQL as written in the statement. */
export type PortableOperation =
  | { readonly does: 'call'; readonly name: string; readonly args: readonly string[] }
  | { readonly does: 'part'; readonly unit: Unit; readonly of: string }
  /** `pattern` in the letters of C's strftime. */
  | { readonly does: 'format'; readonly of: string; readonly pattern: string }
  | { readonly does: 'truncate'; readonly unit: Unit; readonly of: string }
  /** Whole units that have passed, or how often the unit's number changed. */
  | {
      readonly does: 'difference'
      readonly unit: Unit
      readonly from: string
      readonly to: string
      readonly counts: 'whole' | 'changes'
    }
  | { readonly does: 'shift'; readonly of: string; readonly amount: number; readonly unit: Unit }
  | { readonly does: 'julian'; readonly of: string }
  | { readonly does: 'today' }
  | { readonly does: 'now' }
  | { readonly does: 'choose'; readonly when: string; readonly then: string; readonly otherwise: string }
  | {
      readonly does: 'join-texts'
      readonly of: string
      readonly isDistinct: boolean
      readonly separator: string
    }
  | { readonly does: 'find'; readonly text: string; readonly within: string }
  | { readonly does: 'beginning'; readonly of: string; readonly length: string }
  | { readonly does: 'ending'; readonly of: string; readonly length: string }
  | { readonly does: 'round'; readonly of: string; readonly digits: string }

/** A letter of C's strftime, and the same in the patterns of Postgres's `to_char` and MySQL's `DATE_FORMAT`. */
const letters: readonly (readonly [strftime: string, toChar: string, dateFormat: string])[] = [
  ['%Y', 'YYYY', '%Y'],
  ['%m', 'MM', '%m'],
  ['%d', 'DD', '%d'],
  ['%H', 'HH24', '%H'],
  ['%M', 'MI', '%i'],
  ['%S', 'SS', '%s'],
  ['%B', 'FMMonth', '%M'],
  ['%b', 'Mon', '%b'],
  ['%A', 'FMDay', '%W'],
  ['%a', 'Dy', '%a'],
  ['%j', 'DDD', '%j'],
  ['%y', 'YY', '%y'],
]

/** Letters that a strftime without names of months and days knows (SQLite). */
const numericLetters = new Set(['%Y', '%m', '%d', '%H', '%M', '%S', '%j'])

type Notation = 'strftime' | 'to_char' | 'date_format'

const column: Readonly<Record<Notation, 0 | 1 | 2>> = { strftime: 0, to_char: 1, date_format: 2 }

/** A pattern in strftime's letters; null if it has a letter that is not known here. */
export const parseDatePattern = (pattern: string, notation: Notation): string | null => {
  const known = letters
    .map(row => [row[column[notation]], row[0]] as const)
    .concat(
      notation === 'to_char'
        ? [
            ['HH', '%H'],
            ['Month', '%B'],
            ['Day', '%A'],
          ]
        : [
            ['%T', '%H:%M:%S'],
            ['%S', '%S'],
          ],
    )
    .sort(([a], [b]) => b.length - a.length)
  let rest = pattern
  let read = ''
  while (rest !== '') {
    const found = known.find(([written]) =>
      notation === 'to_char'
        ? rest.toLowerCase().startsWith(written.toLowerCase())
        : rest.startsWith(written),
    )
    if (found) {
      read += found[1]
      rest = rest.slice(found[0].length)
    } else if (notation === 'to_char' ? /^[A-Za-z"]/.test(rest) : rest.startsWith('%')) return null
    else {
      read += rest[0]
      rest = rest.slice(1)
    }
  }
  return read
}

/** A strftime pattern as a quoted text in another notation; null if that notation cannot express it. */
export const formatDatePattern = (
  pattern: string,
  notation: Notation | 'numeric-strftime',
): string | null => {
  const isNumeric = notation === 'numeric-strftime'
  let isKnown = true
  const written = pattern.replace(/%./g, letter => {
    const row = letters.find(([strftime]) => strftime === letter)
    if (!row || (isNumeric && !numericLetters.has(letter))) isKnown = false
    return row?.[isNumeric ? 0 : column[notation]] ?? letter
  })
  return isKnown ? `'${written.replaceAll("'", "''")}'` : null
}
