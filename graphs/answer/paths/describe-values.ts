import type { ValueMatch } from '../../../src/core/value-match.ts'

const MOST_PER_KEYWORD = 3
const MOST = 20
/** A cell may hold a whole document; its beginning is enough to recognise it by. */
const LONGEST_VALUE = 100

/** Which values of the database the question's words may be, for a prompt: best first, a few for each word. */
export const describeValues = (matches: readonly ValueMatch[]): string => {
  const perKeyword = new Map<string, number>()
  const lines = [...matches]
    .sort((a, b) => b.score - a.score)
    .filter(match => {
      const taken = (perKeyword.get(match.keyword) ?? 0) + 1
      perKeyword.set(match.keyword, taken)
      return taken <= MOST_PER_KEYWORD
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
