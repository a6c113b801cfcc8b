import type { TextFormat } from '../../domain/catalog.ts'
import type { Cell } from '../../domain/result.ts'
import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import type { TextShape } from '../../sql/sql-dialect.ts'

/** A format must be shared by at least this share of the values. */
const minPatternShare = 0.8

/** With fewer values than this a shared format may be chance. */
const minValuesForFormat = 5

const maxPatternLength = 40

/**
 * The format of a column's values, if at least four fifths share it: character by character (`AA-9999`), or with
 * repetitions collapsed (`a+@a+.a+`). Null if they do not, or if the format says nothing: words, and plain
 * numbers.
 */
export const detectTextFormat = (values: readonly string[]): TextFormat | null => {
  if (values.length < minValuesForFormat) return null
  return commonest(values, shapeOf) ?? commonest(values, value => collapseRuns(shapeOf(value)))
}

const commonest = (values: readonly string[], patternOf: (value: string) => string): TextFormat | null => {
  const counts = new Map<string, number>()
  for (const value of values) {
    const pattern = patternOf(value)
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  }
  const [[pattern, count] = ['', 0]] = [...counts].sort((a, b) => b[1] - a[1])
  const share = count / values.length
  if (share < minPatternShare || !isInformativePattern(pattern)) return null
  return { pattern: asDate(pattern, values) ?? pattern, share }
}

/** Letters and digits beyond ASCII are found by their Unicode classes, which takes ten times as long. */
const isAscii = /^[\0-\x7f]*$/

/**
 * Whether a text may have the format that `detectTextFormat` found: how often something repeats does not count, since
 * a sample may have shown the shorter ones.
 */
export const followsPattern = (text: string, pattern: string): boolean => {
  const shape = collapseRuns(shapeOf(text))
  const plain = pattern.replace(/YYYY|MM|DD|HH|SS/g, letters => '9'.repeat(letters.length))
  return shape === plain || shape === collapseRuns(plain)
}

const shapeOf = (value: string): string => {
  if (!isAscii.test(value))
    return value
      .replace(/\p{Nd}/gu, '9')
      .replace(/\p{Lu}/gu, 'A')
      .replace(/[\p{Ll}\p{Lo}\p{Lt}]/gu, 'a')
  let shape = ''
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at)
    if (unit >= 97 && unit <= 122) shape += 'a'
    else if (unit >= 48 && unit <= 57) shape += '9'
    else if (unit >= 65 && unit <= 90) shape += 'A'
    else shape += value[at]
  }
  return shape
}

/** Each run of digits, capitals or small letters as one sign with a plus. A capital before small letters is one of them. */
const collapseRuns = (shape: string): string => {
  let collapsed = ''
  let last = ''
  for (let at = 0; at < shape.length; at++) {
    const sign = shape[at] as string
    if (sign === 'A' && shape[at + 1] === 'a') continue
    if (sign !== '9' && sign !== 'A' && sign !== 'a') {
      collapsed += sign
      last = ''
    } else if (sign !== last) {
      collapsed += `${sign}+`
      last = sign
    }
  }
  return collapsed
}

/** True for digits or letters beside other characters. Words with spaces between them say nothing. */
const isInformativePattern = (pattern: string): boolean =>
  pattern.length <= maxPatternLength && !/^[aA+ ]*$/.test(pattern) && !/^9?[9+]*([.,][9+]+)?$/.test(pattern)

const dates: readonly (readonly [RegExp, string])[] = [
  [/^9999-99-99/, 'YYYY-MM-DD'],
  [/^9999\/99\/99/, 'YYYY/MM/DD'],
  [/^99\.99\.9999/, 'DD.MM.YYYY'],
]

/** The format of dates among digits, as far as it can be told: for `99/99/9999` only a day past the twelfth tells. */
const asDate = (pattern: string, values: readonly string[]): string | null => {
  for (const [shape, name] of dates)
    if (shape.test(pattern))
      return pattern.replace(shape, name).replace('99:99:99', 'HH:MM:SS').replace('99:99', 'HH:MM')
  if (!/^99\/99\/9999/.test(pattern)) return null
  const late = (at: number): boolean => values.some(value => Number(value.slice(at, at + 2)) > 12)
  if (late(0) === late(3)) return null
  return pattern.replace('99/99/9999', late(0) ? 'DD/MM/YYYY' : 'MM/DD/YYYY')
}

/** How many samples are kept. */
const maxSamples = 5

/** The values that differ most from one another: in format, first letter and length. */
export const pickDiverseSamples = (values: readonly string[]): readonly string[] => {
  // A wide database has thousands of columns of 200 values: the format of each is worked out once, not for each pair.
  const left = values.map(value => ({
    value,
    shape: collapseRuns(shapeOf(value)),
    first: value[0]?.toLowerCase(),
    unlike: mostUnlike,
  }))
  const picked: string[] = []
  while (picked.length < maxSamples && left.length > 0) {
    let best = 0
    left.forEach(({ unlike }, at) => {
      if (unlike > left[best]!.unlike) best = at
    })
    const [taken] = left.splice(best, 1)
    if (taken === undefined) break
    picked.push(taken.value)
    for (const other of left) other.unlike = Math.min(other.unlike, dissimilarity(other, taken))
  }
  return picked
}

const mostUnlike = 4

interface Sampled {
  readonly value: string
  readonly shape: string
  readonly first: string | undefined
}

const dissimilarity = (a: Sampled, b: Sampled): number =>
  (a.shape === b.shape ? 0 : 2) +
  (a.first === b.first ? 0 : 1) +
  (Math.abs(a.value.length - b.value.length) > 4 ? 1 : 0)

const patterns: Readonly<Record<TextShape, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  time: /^\d\d:\d\d(:\d\d(\.\d+)?)?$/,
  number: /^[-+]?\d+(\.\d+)?$/,
}

/**
 * The shape that the smallest and the largest text share, so that it is worth counting the rest; null if there is
 * none. Days mixed with moments count as moments. Empty texts are skipped.
 */
export const shapeOfExtremes = (min: Cell, max: Cell): TextShape | null => {
  const ends = [min, max].filter(end => end !== '')
  if (ends.length === 0 || !ends.every(end => typeof end === 'string')) return null
  const shapes = (['date', 'time', 'number'] as const).filter(shape =>
    ends.every(end => patterns[shape].test(end)),
  )
  if (shapes[0] !== undefined) return shapes[0]
  return ends.every(end => patterns.timestamp.test(end) || patterns.date.test(end)) ? 'timestamp' : null
}

/** Whether a text that was read has this shape, as `shapeCountExpression` counts it. Days must be in the calendar. */
export const hasShape = (text: string, shape: TextShape): boolean => {
  if (text === '') return true
  if (!textPatterns[shape].test(text)) return false
  switch (shape) {
    case 'date':
    case 'timestamp':
      return isRealDay(text.slice(0, 10))
    case 'time':
      return text < '24'
    case 'number':
      return true
    default: {
      const never: never = shape
      return never
    }
  }
}

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether YYYY-MM-DD is in the calendar. */
const isRealDay = (text: string): boolean => {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  if (day < 1 || day > (daysOfMonths[month - 1] ?? 0)) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

/** An aggregate that counts the texts of this shape; empty texts count too. */
export const shapeCountExpression = (shape: TextShape, text: string, dialect: Dialect): string => {
  const matches = databaseDialect(dialect).measuring.matchesShape(text, shape, regexSources[shape])
  return `sum(CASE WHEN ${text} = '' OR ${matches} THEN 1 ELSE 0 END)`
}

const regexSources: Readonly<Record<TextShape, string>> = {
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  timestamp: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?$',
  time: '^[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?$',
  number: '^[-+]?[0-9]+([.][0-9]+)?$',
}

const textPatterns: Readonly<Record<TextShape, RegExp>> = {
  date: new RegExp(regexSources.date),
  timestamp: new RegExp(regexSources.timestamp),
  time: new RegExp(regexSources.time),
  number: new RegExp(regexSources.number),
}
