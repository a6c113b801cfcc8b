/**
 * What a breakdown puts side by side. `period`: the measure in one period and in another, and the change between them.
 * `group`: the measure of one group beside that of all.
 */
export interface Contrast {
  readonly kind: 'period' | 'group'
  /** What is to be explained, for instance `March 2026` or `Germany`. */
  readonly subject: string
  /** What it stands beside, for instance `February 2026`; for a group, `all`. */
  readonly beside: string
}

/**
 * One way to split. Both statements give a row for each value: value, beside, subject and change for a period; value,
 * subject and beside for a group. They differ in their order: largest fall first, or largest rise first.
 */
export interface BreakdownDimension {
  /** In words, for instance `country of the customer`. */
  readonly label: string
  readonly sql: { readonly falling: string; readonly rising: string }
}

/** How a number of an earlier answer can be taken apart. Which dimension tells most is found by running them. */
export interface BreakdownPlan {
  readonly contrast: Contrast
  /** One row without a split, its columns as those of a dimension without the value. */
  readonly totals: string
  /** The likeliest to tell something first. */
  readonly dimensions: readonly BreakdownDimension[]
  /** How the question was read, for whoever sees the answer. */
  readonly assumptions: readonly string[]
}
