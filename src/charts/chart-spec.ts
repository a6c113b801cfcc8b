/** One mark of a chart: where on the first axis, whose, and how much. Missing amounts are left out by whoever makes it. */
export interface ChartPoint {
  /** A category, or milliseconds since 1970 on an axis of time. */
  readonly x: string | number
  readonly series: string
  readonly y: number
}

/**
 * The charts there are. `lines` run over time, `columns` stand over short categories, `bars` lie beside long or many
 * ones; with several series, columns and bars stand side by side.
 */
export interface ChartSpec {
  readonly kind: 'lines' | 'columns' | 'bars'
  readonly xTitle: string
  readonly yTitle: string
  /** In the order in which they are shown. */
  readonly series: readonly string[]
  readonly points: readonly ChartPoint[]
  /** How the first axis reads in words, by `x`. */
  readonly labelOf: (x: string | number) => string
}
