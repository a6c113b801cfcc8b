import type { Catalog } from './catalog.ts'
import type { FindValues, Understanding } from './question-context.ts'

/**
 * One decision that a reading of the question rests on: which thing a phrase was taken to mean. Two readings
 * that decide differently on the same phrase are what a question back is made of.
 */
export interface Decision {
  /** The words of the question, for instance `country`. */
  readonly phrase: string
  readonly kind: 'table' | 'column' | 'value' | 'aggregate' | 'period' | 'join'
  /** Stable name of the choice, for instance `orders.billing_country`. */
  readonly choice: string
  /** The choice in words a person understands, for instance `billing country of the order`. */
  readonly label: string
}

/**
 * One way to read a question, made without any model. `confidence` is the calibrated probability that its result
 * is right; `unused` are the content words of the question that the SQL does not account for.
 */
export interface Interpretation {
  readonly sql: string
  readonly score: number
  readonly confidence: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  readonly unused: readonly string[]
}

/** What the semantic parser reads from. Everything is in memory: reading a question touches no database. */
export interface ParseInput {
  readonly understanding: Understanding
  readonly catalog: Catalog
  readonly findValues: FindValues
}

/** Question in, readings out, best first, at most `limit` (default 10). Empty when nothing can be read. */
export type ParseQuestion = (input: ParseInput, options?: { limit?: number }) => readonly Interpretation[]

/**
 * Things that a question names and for which nothing in a database stands, as the question writes them. `accounted` are
 * phrases that values or periods account for. Pure.
 */
export type FindUnknownTerms = (
  text: string,
  catalog: Catalog,
  accounted?: readonly string[],
) => readonly string[]

/**
 * The probability, from 0 to 1, that a text asks something of what the tables of a database hold, clear or not. Calibrated
 * on questions about other databases; by names of tables and columns and what is `accounted` for. Pure.
 */
export type RateFit = (text: string, catalog: Catalog, accounted?: readonly string[]) => number
