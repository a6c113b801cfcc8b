import type { ModelFailure } from './answer.ts'
import type { Catalog } from './catalog.ts'
import type { FindValues, Understanding } from './question-context.ts'

/**
 * One decision of an interpretation: what a phrase was taken to mean. A clarification asks about phrases that two
 * interpretations decide differently.
 */
export interface Decision {
  /** The words of the question, such as `country`. */
  readonly phrase: string
  readonly kind: 'table' | 'column' | 'value' | 'aggregate' | 'period' | 'join'
  /** Stable name of the choice, such as `orders.billing_country`. */
  readonly choice: string
  /** The choice in plain words, such as `billing country of the order`. */
  readonly label: string
}

/**
 * One interpretation of a question, made without a model. `confidence` is the calibrated probability that its result is
 * right; `unused` are the content words the SQL does not use.
 */
export interface Interpretation {
  readonly sql: string
  readonly score: number
  readonly confidence: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly Assumption[]
  readonly unused: readonly string[]
}

/** Readings that leave out a word with weight cannot be more likely than this, one alone or all of them together. */
export const MOST_WITHOUT_A_WORD = 0.55

/** Input of the parser. Everything is in memory; parsing a question queries no database. */
export interface ParseInput {
  readonly understanding: Understanding
  readonly catalog: Catalog
  readonly findValues: FindValues
}

/** Returns at most `limit` (default 10) interpretations, best first. Empty if there are none. */
export type ParseQuestion = (input: ParseInput, options?: { limit?: number }) => readonly Interpretation[]

/**
 * Terms of a question that match nothing in the database, as written. `accounted` are phrases that values or periods
 * explain. Pure.
 */
export type FindUnknownTerms = (
  text: string,
  catalog: Catalog,
  accounted?: readonly string[],
) => readonly string[]

/**
 * Probability, 0 to 1, that a text asks for data these tables hold, clear or not. Calibrated on questions about other
 * databases; uses table and column names and what is `accounted` for. Pure.
 */
export type RateFit = (text: string, catalog: Catalog, accounted?: readonly string[]) => number

/**
 * What an answer takes for granted, as facts; `answer-wording/assumptions.ts` words it. Columns and tables are given as
 * nouns in words, such as `billing country of the order`.
 */
export type Assumption =
  /** Days of a period: `from` is its first day, `until` the day after its last; null if it is open on that side. */
  | {
      readonly kind: 'period'
      readonly phrase: string
      readonly from: string | null
      readonly until: string | null
      readonly column: string
      /** Set if the column has times of day. */
      readonly timeZone: string | null
    }
  /** A word of the question that was found as a value of a column that the question does not name. */
  | { readonly kind: 'value'; readonly phrase: string; readonly column: string; readonly value: string }
  /** What a metric that nobody has accepted yet is taken to be, such as `sum of order total`. */
  | { readonly kind: 'definition'; readonly label: string; readonly meaning: string }
  /** What a figure's rows are and when they count: `Orders by date placed, Oct 1 to Oct 31, 2026`. */
  | {
      readonly kind: 'counted-by'
      readonly what: string
      readonly date: string
      readonly days: string
      readonly timeZone: string | null
    }
  /** A word that is misspelled, and what it was taken for. */
  | { readonly kind: 'spelling'; readonly from: string; readonly to: string }
  /** Words with a meaning that the answer does not use. */
  | { readonly kind: 'ignored'; readonly words: readonly string[] }
  /** What a follow-up changes in the answer before. */
  | { readonly kind: 'follow-up'; readonly changes: readonly AnswerChange[] }
  /** A model rewrote the message as this question. */
  | { readonly kind: 'rewritten'; readonly question: string }
  /** One of several meanings, taken without asking; `phrase` is null if the question as a whole has several. */
  | { readonly kind: 'meaning'; readonly phrase: string | null; readonly meaning: string }
  /** An option of a question back. */
  | {
      readonly kind: 'option'
      readonly label: string
      readonly chosenBy: 'person' | 'no-reply' | 'unclear-reply'
    }
  | {
      readonly kind: 'verified-query'
      readonly question: string
      readonly replaced: readonly { readonly from: string; readonly to: string }[]
    }
  | { readonly kind: 'newest-rows'; readonly table: string; readonly rows: number; readonly by: string }
  | { readonly kind: 'no-model'; readonly failure: ModelFailure }
  | BreakdownAssumption

/** What a breakdown ("why is March low?") takes for granted. */
export type BreakdownAssumption =
  | {
      readonly kind: 'compared-periods'
      readonly subject: string
      readonly beside: string
      readonly column: string
    }
  | { readonly kind: 'unfinished-period'; readonly period: string }
  | { readonly kind: 'compared-with-all'; readonly value: string; readonly column: string }
  /** The answer has several numbers and only this one is split; null is the number of rows. */
  | { readonly kind: 'one-measure'; readonly column: string | null }
  | { readonly kind: 'no-breakdown' }
  | { readonly kind: 'weak-breakdown'; readonly dimension: string }
  | { readonly kind: 'other-breakdowns'; readonly dimensions: readonly string[] }
  | { readonly kind: 'breakdown-is-no-cause' }

/** One change that a follow-up makes to an answer. */
export type AnswerChange =
  | {
      readonly kind: 'filter'
      /** `also`: rows with either value; `now`: in place of another value of the column; `only`: one filter more. */
      readonly how: 'also' | 'now' | 'only'
      readonly filter: ChangedFilter
    }
  | { readonly kind: 'without'; readonly table: string }
  | { readonly kind: 'group'; readonly by: readonly ChangedGroup[]; readonly isAdded: boolean }
  | {
      readonly kind: 'measure'
      readonly measure: MeasureFunction
      readonly column: string
      readonly isAdded: boolean
    }
  /** `by` is null for the measured value; `count` is how many of the first are kept, null for all. */
  | {
      readonly kind: 'order'
      readonly by: string | null
      readonly direction: 'asc' | 'desc'
      readonly count: number | null
    }
  | { readonly kind: 'having'; readonly operator: string; readonly number: number }
  | { readonly kind: 'limit'; readonly count: number }
  | { readonly kind: 'view'; readonly view: 'chart' | 'table' }
  | { readonly kind: 'count' }
  | { readonly kind: 'list'; readonly table: string }
  /** A figure in its words, such as `number of customers`. */
  | { readonly kind: 'metric'; readonly label: string; readonly isAdded: boolean }
  | { readonly kind: 'show'; readonly labels: readonly string[] }
  | { readonly kind: 'ungroup' }
  | { readonly kind: 'share'; readonly of: string }
  | { readonly kind: 'running'; readonly isAverage: boolean }
  | { readonly kind: 'compare'; readonly with: string }
  | { readonly kind: 'all-rows' }

export type MeasureFunction = 'avg' | 'sum' | 'max' | 'min' | 'count'

/** A grouping by a unit of time of a date, by what a table lists, or by a column. */
export interface ChangedGroup {
  readonly label: string
  readonly unit: string | null
}

/** A filter that a follow-up adds or changes. */
export type ChangedFilter =
  | {
      readonly kind: 'compare'
      readonly column: string
      readonly operator: string
      readonly value: string | number | boolean
      readonly negated: boolean
    }
  | {
      readonly kind: 'compare-column'
      readonly column: string
      readonly operator: string
      readonly other: string
    }
  | {
      readonly kind: 'compare-aggregate'
      readonly column: string
      readonly operator: string
      readonly fn: string
    }
  | {
      readonly kind: 'between'
      readonly column: string
      readonly low: string | number
      readonly high: string | number
    }
  | { readonly kind: 'matches'; readonly column: string; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'period'; readonly phrase: string; readonly negated: boolean }
  /** A named condition, such as `active`. */
  | { readonly kind: 'segment'; readonly label: string; readonly negated: boolean }
  | { readonly kind: 'missing'; readonly column: string; readonly negated: boolean }

/** Why a change of an answer that was meant cannot be made. */
export type ChangeProblem =
  | { readonly code: 'asks-why' }
  | { readonly code: 'nothing-to-count' }
  | { readonly code: 'nothing-to-list' }
  | { readonly code: 'nothing-to-sort' }
  /** The answer counts rows, so there is no column to take this of. */
  | { readonly code: 'only-counts'; readonly measure: MeasureFunction }
  /** Nothing in the database is called by these words. */
  | { readonly code: 'unknown-words'; readonly words: readonly string[] }
  /** A breakdown needs an answer that the parser made. */
  | { readonly code: 'made-otherwise' }
  | { readonly code: 'no-number' }
  | { readonly code: 'not-additive' }
  | { readonly code: 'number-not-named' }
  | { readonly code: 'unknown-number'; readonly words: string }
  | { readonly code: 'no-date' }
  | { readonly code: 'not-comparable' }
  /** What the message wants of the last answer cannot be told. */
  | { readonly code: 'unclear' }
