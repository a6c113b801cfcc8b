import type { Catalog } from './catalog.ts'
import type { Understanding } from './understanding.ts'
import type { FindValues } from './value-match.ts'

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
