import type { Database } from '../database.ts'
import type { Understanding } from '../question-context.ts'
import type { ResultTable } from '../result.ts'
import type { Comparison, DatePart, DateUnit } from './metric-query.ts'
import type { AnswerMeaning } from './metric-reading.ts'
import type { Unit } from './semantic-layer.ts'

/** What a column of a result is to the person who asked. */
export interface ColumnMeaning {
  /** As a heading: `Billing country`. */
  readonly label: string
  readonly role: ColumnRole
  readonly unit: Unit | null
}

/** `figure` is a number that was asked for; the others say what it is about. */
export type ColumnRole =
  | { readonly kind: 'name' }
  | { readonly kind: 'category'; readonly isOrdered: boolean }
  /** Yes or no. */
  | { readonly kind: 'flag' }
  /** `runningOn` is the day of the question, to mark the period that has not ended on it. */
  | { readonly kind: 'period'; readonly grain: DateUnit; readonly runningOn?: string }
  | { readonly kind: 'date-part'; readonly part: DatePart }
  | { readonly kind: 'moment' }
  | { readonly kind: 'detail' }
  | {
      readonly kind: 'figure'
      readonly of: FigureKind
      readonly goodDirection: 'up' | 'down' | null
      readonly isAdditive: boolean
    }

/** What a figure is: the measure itself, or derived from it. */
export type FigureKind = 'value' | 'previous' | 'change' | 'growth' | 'share' | 'running' | 'moving-average'

/** What an answer shows, in the words of the semantic layer: everything that a headline needs beside the rows. */
export interface AnswerSubject {
  /** The columns of the result, in their order. */
  readonly columns: readonly ColumnMeaning[]
  /** What a row of a list is; null if figures were asked for, or if nobody can tell. */
  readonly rowsOf: RowNoun | null
  /** What the figures are shown for each of: a product. Null without groups. */
  readonly groupsOf: RowNoun | null
  /** What a figure counts or adds up: orders, of revenue. Null if several things, or if nobody can tell. */
  readonly countsOf: RowNoun | null
  readonly period: AnswerPeriod | null
  /** What else the rows were filtered by. */
  readonly conditions: readonly AnswerCondition[]
  /** False if the rows were filtered by something that has no short words. */
  readonly isComplete: boolean
  readonly order: AnswerOrder | null
  /** The most rows that were asked for. */
  readonly limit: number | null
  /** The limit is one for each group. */
  readonly limitsGroups: boolean
  readonly compare: Comparison | null
  /** The question wants a yes or no. */
  readonly isYesNo: boolean
  /** A statement for the first and the last moment of the rows without their period; null if there is none. */
  readonly extent: string | null
}

/** A thing in lower case: `order line`, `order lines`. */
export interface RowNoun {
  readonly singular: string
  readonly plural: string
}

/** Days from `from`, `until` excluded. */
export interface AnswerPeriod {
  readonly from: string | null
  readonly until: string | null
  /** The words of the question for it: `last month`. */
  readonly phrase: string | null
  /** What happened in it, if that can be said before the period: `hired` in 2020. */
  readonly verb: string | null
}

/**
 * A condition in words: `not Germany`. Of a place, people say "from Germany" or "in Germany", of a person "from Ada
 * Alm" or "for Ada Alm"; a `measure` (`price over €20`) is what things are said to be "with", and a `clause` (`without
 * orders`) stands behind them as it is.
 */
export interface AnswerCondition {
  readonly words: string
  readonly kind: 'value' | 'place' | 'person' | 'adjective' | 'measure' | 'clause'
}

/** What comes first; `column` is the place of its column, if it is shown. */
export interface AnswerOrder {
  readonly label: string
  readonly direction: 'asc' | 'desc'
  readonly column: number | null
  readonly isChange: boolean
}

/** Describes an answer by its statement, and by its metric query if it was read as one. Null if it cannot be read. Pure. */
export type DescribeAnswer = (given: {
  readonly sql: string
  readonly meaning?: AnswerMeaning
  readonly understanding: Pick<Understanding, 'text' | 'spans' | 'today' | 'timeZone'>
  readonly database: Pick<Database, 'catalog' | 'semanticLayer'>
}) => AnswerSubject | null

/** A result whose columns say what they are; null if it has other columns than its statement was to have. */
export const withMeaning = (table: ResultTable, meanings: readonly ColumnMeaning[]): ResultTable | null =>
  table.columns.length === meanings.length
    ? { ...table, columns: table.columns.map((column, at) => ({ ...column, meaning: meanings[at]! })) }
    : null
