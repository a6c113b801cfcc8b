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
  readonly assumptions: readonly string[]
  readonly unused: readonly string[]
}

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
