/** A value of the database that a span of the question may mean. `score` is from 0 to 1, 1 for the same text. */
export interface ValueMatch {
  readonly keyword: string
  readonly table: string
  readonly column: string
  readonly value: string
  readonly score: number
  /** The term of the team's glossary that means this value; the value's text then need not resemble the keyword. */
  readonly term?: string
}

/** How a keyword is looked up. */
export interface FindValuesOptions {
  /** Matches in all; 10 by default. */
  readonly limit?: number
  /** At most so many matches of one column. Without it, a column has half of the places, and what others leave. */
  readonly perColumn?: number
  /** Only values of these columns. */
  readonly columns?: readonly { readonly table: string; readonly column: string }[]
}

/** Looks a keyword up in the value index: best first, never throws. */
export type FindValues = (keyword: string, options?: FindValuesOptions) => readonly ValueMatch[]
