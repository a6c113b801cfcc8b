import type { ParseDialect } from '../../domain/sql.ts'
import { type SqlToken, sqlTokens } from '../parse/sql-tokens.ts'

/** A literal of a statement, [start, end) in UTF-16 units. */
export interface WrittenValue {
  readonly kind: 'text' | 'number'
  /** Without quotes, and without the signs of LIKE at its ends. */
  readonly value: string
  readonly start: number
  readonly end: number
  /** Whether it can say what stands in a row: a text, or a number that something equals. Days and limits do not. */
  readonly isOfRow: boolean
}

/** Days and times, which say when, not whose. */
const day = /^\d{4}-\d{2}(?:-\d{2})?(?:[ T][\d:.+Z-]*)?$|^\d{2}:\d{2}(?::\d{2})?$/

/** Parts of dates, spans of time, and patterns by which dates are written: what functions take. */
const argument =
  /^(?:[+-]?\d+ )?(?:microsecond|millisecond|second|minute|hour|day|week|isoweek|month|quarter|year|decade|century|dow|isodow|doy|epoch|utc)s?$|^(?:start|end) of \w+$|^(?:%[-#]?[a-z]|yyyy|yy|mm|dd|hh24|hh12|hh|mi|ss|iyyy|iw|ww|mon|month|dy|[-/.:,\s])*$/i

const comparisons: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<=>'])

const matches: ReadonlySet<string> = new Set(['like', 'ilike', 'glob', 'regexp', 'rlike', 'to'])

/** Too common to name a row: yes and no, none and one. */
const plainNumbers: ReadonlySet<string> = new Set(['0', '1'])

/** The literals of a statement in order; null if it cannot be cut into tokens. */
export const writtenValues = (sql: string, dialect: ParseDialect): readonly WrittenValue[] | null => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return null
  return cut.tokens.flatMap((token, at): WrittenValue[] => {
    const { start, end } = token
    const before = beforeSign(cut.tokens, at)
    if (token.kind === 'number') {
      const isOfRow = isEqualed(cut.tokens, before) && !plainNumbers.has(token.value)
      return [{ kind: 'number', value: token.value, start, end, isOfRow }]
    }
    if (token.kind !== 'string' && !isQuotedText(cut.tokens, at)) return []
    const isCompared = isEqualed(cut.tokens, at - 1) || matches.has(cut.tokens[at - 1]?.value ?? '')
    const value = isCompared ? token.value.replace(/^%+|%+$/g, '') : token.value
    const isOfRow = !day.test(value) && (isCompared || !argument.test(value))
    return [{ kind: 'text', value, start, end, isOfRow }]
  })
}

const beforeSign = (tokens: readonly SqlToken[], at: number): number =>
  ['-', '+'].includes(tokens[at - 1]?.text ?? '') ? at - 2 : at - 1

/** Whether what stands after a token is what a column is held against: behind `=`, or in a list behind IN. */
const isEqualed = (tokens: readonly SqlToken[], before: number): boolean => {
  if (comparisons.has(tokens[before]?.text ?? '')) return true
  for (let at = before; at >= 0; at -= 1) {
    const token = tokens[at]
    if (token?.text === '(') return tokens[at - 1]?.value === 'in'
    if (token?.text !== ',' && token?.kind !== 'number' && token?.kind !== 'string') return false
  }
  return false
}

/** SQLite reads a double-quoted name that it does not know as a text; behind a comparison it may be one. */
const isQuotedText = (tokens: readonly SqlToken[], at: number): boolean => {
  const token = tokens[at]
  if (token?.kind !== 'quoted' || !token.text.startsWith('"') || tokens[at + 1]?.text === '.') return false
  return isEqualed(tokens, at - 1) || matches.has(tokens[at - 1]?.value ?? '')
}
