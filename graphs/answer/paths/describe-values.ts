import type { ValueMatch } from '../../../src/core/value-match.ts'

/** Different values of one keyword, and columns of one value: a region may be meant by two countries of three columns. */
const MOST_VALUES = 3
const MOST_COLUMNS = 3
const MOST = 20
/** A cell may hold a whole document; its beginning is enough to recognise it by. */
const LONGEST_VALUE = 100

/** Which values of the database the question's words may be, for a prompt: best first, a few for each word. */
export const describeValues = (matches: readonly ValueMatch[]): string => {
  const perKeyword = new Map<string, Map<string, number>>()
  const lines = [...matches]
    .sort((a, b) => b.score - a.score)
    .filter(match => {
      const values = perKeyword.get(match.keyword) ?? new Map<string, number>()
      perKeyword.set(match.keyword, values)
      const columns = values.get(match.value) ?? 0
      if (columns === MOST_COLUMNS || (columns === 0 && values.size === MOST_VALUES)) return false
      values.set(match.value, columns + 1)
      return true
    })
    .map(describeMatch)
  return lines.length === 0 ? 'None were found.' : [...new Set(lines)].slice(0, MOST).join('\n')
}

const describeMatch = ({ keyword, table, column, value }: ValueMatch): string =>
  `"${keyword}" may be ${table}.${column} = '${oneLine(value).replaceAll("'", "''")}'`

const oneLine = (value: string): string => {
  const line = value.replace(/\s+/g, ' ')
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line
}
