/** One call of a function. Names are in lower case where the dialect folds them. */
export interface SqlCall {
  readonly schema: string | null
  readonly name: string
  /** What each argument is when it is nothing but a literal; null for everything else. */
  readonly args: readonly (string | number | null)[]
}
