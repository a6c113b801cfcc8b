/**
 * What execution and the database say of one candidate, beside how many others agree with it (facts of the field:
 * such evidence carries most of what a selector gains over plain votes).
 */
export interface Evidence {
  /** The result has no rows. */
  readonly isEmpty: boolean
  /** Text literals that the column they are compared to does not hold. */
  readonly absentLiterals: number
  /** Pairs of result columns that come the other way round than the question names them. */
  readonly columnInversions: number
}
