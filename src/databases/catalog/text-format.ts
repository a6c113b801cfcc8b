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

const shapeOf = (value: string): string =>
  value
    .replace(/\p{Nd}/gu, '9')
    .replace(/\p{Lu}/gu, 'A')
    .replace(/[\p{Ll}\p{Lo}\p{Lt}]/gu, 'a')

const collapseRuns = (shape: string): string =>
  shape.replace(/Aa+/g, 'a').replace(/(9|A|a)\1*/g, sign => `${sign[0]}+`)

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
  const left = [...values]
  const picked: string[] = []
  while (picked.length < maxSamples && left.length > 0) {
    const best = left.reduce((a, b) => (dissimilarity(b, picked) > dissimilarity(a, picked) ? b : a))
    picked.push(best)
    left.splice(left.indexOf(best), 1)
  }
  return picked
}

const dissimilarity = (value: string, picked: readonly string[]): number => {
  const shape = collapseRuns(shapeOf(value))
  return Math.min(
    4,
    ...picked.map(
      other =>
        (collapseRuns(shapeOf(other)) === shape ? 0 : 2) +
        (other[0]?.toLowerCase() === value[0]?.toLowerCase() ? 0 : 1) +
        (Math.abs(other.length - value.length) > 4 ? 1 : 0),
    ),
  )
}

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
