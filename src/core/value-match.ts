/** A value of the database that a span of the question may mean. `score` is from 0 to 1, 1 for the same text. */
export interface ValueMatch {
  readonly keyword: string
  readonly table: string
  readonly column: string
  readonly value: string
  readonly score: number
}

/** Looks a keyword up in the value index: best first, at most `limit` (default 10), never throws. */
export type FindValues = (keyword: string, options?: { limit?: number }) => readonly ValueMatch[]
