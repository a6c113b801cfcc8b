import type { UnderstandQuestion } from '../../domain/question-context.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import { type SqlToken, sqlTokens } from '../../sql/parse/sql-tokens.ts'

/** How a literal is compared; `other` if it is not one of the plain ways. */
type DayRole = 'at-least' | 'less' | 'at-most' | 'more' | 'equal' | 'between-low' | 'between-high' | 'other'

/** A date literal of a statement. `at`: [start, end) in UTF-16 units, including quotes. */
export interface LocatedDay {
  readonly literal: DayLiteral
  readonly role: DayRole
  readonly at: readonly [number, number]
}

/** What can stand between an operator and its literal: `>= date '…'`, `>= cast('…' as date)`. */
const wrapping = new Set([
  '(',
  'date',
  'datetime',
  'timestamp',
  'timestamptz',
  'cast',
  'to_date',
  'date_trunc',
])

const roles: Readonly<Record<string, DayRole>> = {
  '>=': 'at-least',
  '>': 'more',
  '<': 'less',
  '<=': 'at-most',
  '=': 'equal',
  '==': 'equal',
  between: 'between-low',
}

const mirrored: Readonly<Partial<Record<DayRole, DayRole>>> = {
  'at-least': 'at-most',
  more: 'less',
  less: 'more',
  'at-most': 'at-least',
}

/** Every date literal of a statement, in order; empty if it cannot be tokenized. */
export const findDayLiterals = (sql: string, dialect: ParseDialect): readonly LocatedDay[] => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return []
  return cut.tokens.flatMap((token, index) => {
    const literal = isPlain(token) ? parseDayLiteral(token.value) : null
    if (!literal) return []
    return [{ literal, role: roleOf(cut.tokens, index), at: [token.start, token.end] as const }]
  })
}

/** The literal is written exactly as its value, so another one can replace it without escaping. */
const isPlain = ({ kind, text, value }: SqlToken): boolean => kind === 'string' && text.slice(1, -1) === value

const roleOf = (tokens: readonly SqlToken[], index: number): DayRole => {
  let before = index - 1
  while (before >= 0 && wrapping.has(valueAt(tokens, before))) before--
  const sign = valueAt(tokens, before)
  if (sign === 'and' && isHighOfBetween(tokens, before)) return 'between-high'
  const role = roles[sign]
  if (role !== undefined) return role
  let after = index + 1
  while (after < tokens.length && isBehindLiteral(tokens, after)) after++
  const behind = roles[valueAt(tokens, after)]
  return (behind && mirrored[behind]) ?? (behind === 'equal' ? 'equal' : 'other')
}

/** `)`, `::date`, `as date`. */
const isBehindLiteral = (tokens: readonly SqlToken[], at: number): boolean =>
  [')', '::', 'as', 'date', 'timestamp', 'timestamptz', 'datetime'].includes(valueAt(tokens, at))

/** Whether an `and` belongs to a `between` whose low end has not been followed by its `and` yet. */
const isHighOfBetween = (tokens: readonly SqlToken[], and: number): boolean => {
  let depth = 0
  for (let i = and - 1; i >= 0; i--) {
    const value = valueAt(tokens, i)
    if (value === ')') depth++
    else if (value === '(') depth--
    if (depth < 0) return false
    if (depth > 0) continue
    if (value === 'between') return true
    if (value === 'and' || value === 'or' || value === 'where' || value === 'on') return false
  }
  return false
}

const valueAt = (tokens: readonly SqlToken[], at: number): string => {
  const token = tokens[at]
  return token === undefined || token.kind === 'string' || token.kind === 'quoted' ? '' : token.value
}

/**
 * The text of a date literal: the day, its first moment, or its last one; also a month, which stands for its first day.
 * A text with a time zone other than UTC is none: its offset would be wrong on another day.
 */
interface DayLiteral {
  /** ISO; the first day if it is a month. */
  readonly day: string
  readonly names: 'day' | 'start' | 'end' | 'month'
  /** Writes the same literal for another day (ISO). */
  readonly write: (day: string) => string
}

const dayPattern = /^(\d{4}-\d{2}-\d{2})(?:([ T])(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|\+00(?::?00)?)?)?$/

const monthPattern = /^\d{4}-\d{2}$/

/** Parses the text of a literal without quotes; null if it names no day. */
export const parseDayLiteral = (text: string): DayLiteral | null => {
  if (monthPattern.test(text)) {
    const day = `${text}-01`
    return isDay(day) ? { day, names: 'month', write: other => other.slice(0, 7) } : null
  }
  const match = dayPattern.exec(text)
  const day = match?.[1]
  if (!match || day === undefined || !isDay(day)) return null
  const rest = text.slice(day.length)
  const time = match[3]
  const names = time === undefined ? 'day' : /^00:00(:00(\.0+)?)?$/.test(time) ? 'start' : endOfDay(time)
  return names && { day, names, write: other => `${other}${rest}` }
}

const endOfDay = (time: string): 'end' | null => (/^23:59(:59(\.9+)?)?$/.test(time) ? 'end' : null)

const isDay = (day: string): boolean => {
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === day
}

const currentDateWords = new Set([
  'current_date',
  'current_timestamp',
  'localtimestamp',
  'now',
  'curdate',
  'getdate',
  'today',
  'sysdate',
  'statement_timestamp',
  'transaction_timestamp',
])

/** Whether a statement uses the database's current date, and so moves by itself. */
export const usesCurrentDate = (sql: string, dialect: ParseDialect): boolean => {
  const cut = sqlTokens(sql, dialect)
  return (
    cut.ok &&
    cut.tokens.some(({ kind, value }) =>
      kind === 'word' ? currentDateWords.has(value) : kind === 'string' && value.toLowerCase() === 'now',
    )
  )
}

/** Days of a period, ISO; `until` is exclusive. */
export interface PhraseDays {
  readonly from: string | null
  readonly until: string | null
}

/** The days a phrase such as `last month` means on a day (ISO); null if it is not a single period. */
export type FindPhraseDays = (phrase: string, today: string) => PhraseDays | null

/**
 * Uses the parser of questions. The phrase is parsed alone, within words that make it a data question, so that nothing
 * else in the question changes its meaning.
 */
export const makeFindPhraseDays =
  (understand: UnderstandQuestion): FindPhraseDays =>
  (phrase, today) => {
    // Noon UTC is safely within the day.
    const clock = { now: () => new Date(`${today}T12:00:00Z`), timeZone: 'UTC' }
    const spans = understand(`How many orders were there during ${phrase}?`, clock).spans
    const [span] = spans
    return spans.length === 1 && span ? { from: span.from, until: span.until } : null
  }

const DAY_MS = 24 * 60 * 60 * 1000

/** Days ahead; on one of them every relative period means other days than today. */
const probes = [1, 8, 32, 93, 184, 366, 800]

/** Whether a phrase means other days on other days. */
export const isRelative = (phrase: string, today: string, daysOf: FindPhraseDays): boolean => {
  const now = JSON.stringify(daysOf(phrase, today))
  return probes.some(days => JSON.stringify(daysOf(phrase, addDays(today, days))) !== now)
}

/** A day (ISO) this many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
