import type { Dialect } from '../../core/dialect.ts'
import type { Cell } from '../../core/result.ts'

/** What all the texts of a column may turn out to be. */
export type TextShape = 'date' | 'timestamp' | 'time' | 'number'

const patterns: Readonly<Record<TextShape, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  time: /^\d\d:\d\d(:\d\d(\.\d+)?)?$/,
  number: /^[-+]?\d+(\.\d+)?$/,
}

/**
 * The shape that the smallest and the largest text have in common, which is worth counting the rest for; null where
 * there is none. Days and moments mixed count as moments. Empty texts are passed over.
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

/** An aggregate that counts the texts of this shape; empty ones are counted along. */
export const shapeCountExpression = (shape: TextShape, text: string, dialect: Dialect): string => {
  const matches = dialect === 'mysql' ? 'REGEXP' : '~'
  const holds =
    dialect === 'sqlite' ? sqliteTests[shape](text) : `${text} ${matches} '${regexSources[shape]}'`
  return `sum(CASE WHEN ${text} = '' OR ${holds} THEN 1 ELSE 0 END)`
}

const regexSources: Readonly<Record<TextShape, string>> = {
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  timestamp: '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?$',
  time: '^[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?$',
  number: '^[-+]?[0-9]+([.][0-9]+)?$',
}

/** SQLite has no regular expressions, but its date functions give NULL, or another text, for what is no date. */
const sqliteTests: Readonly<Record<TextShape, (text: string) => string>> = {
  date: text => `date(${text}) = ${text}`,
  timestamp: text => `date(substr(${text}, 1, 10)) = substr(${text}, 1, 10)`,
  time: text => `substr(time(${text}), 1, 5) = substr(${text}, 1, 5)`,
  number: text =>
    `(${text} GLOB '*[0-9]' AND NOT (ltrim(${text}, '+-') GLOB '*[^0-9.]*') AND NOT (${text} GLOB '*.*.*'))`,
}
