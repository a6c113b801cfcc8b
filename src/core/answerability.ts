import type { Catalog } from './catalog.ts'

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
