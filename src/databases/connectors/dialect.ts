/** One place of a plan where rows are read: of which table, as the plan names it, and how many in all. */
export interface PlannedRead {
  readonly table: string | null
  /** Null where the plan does not tell. */
  readonly rows: number | null
}

/** What stands for a plan that is none, or is written in a way that is not read. An empty list is a plan that reads nothing. */
export const unreadablePlan: readonly PlannedRead[] = [{ table: null, rows: null }]

/** How many rows a table has, by the name or alias that a plan uses; null where that is not known. */
export type TableRowCount = (table: string) => number | null

/** Names as they are written in a list, several lines of several names, as a set. */
export const functionNames = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap(line => line.trim().split(/\s+/)))

/** Pure functions of standard SQL that mean the same nearly everywhere. */
export const commonFunctions = functionNames(
  // aggregates
  `count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
   regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy grouping any_value`,
  // windows
  `row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value`,
  // choice and conversion
  `coalesce nullif greatest least cast`,
  // numbers
  `abs ceil ceiling floor round trunc power pow sqrt exp ln log log10 log2 mod sign pi degrees radians
   sin cos tan cot asin acos atan atan2`,
  // text
  `lower upper length char_length character_length octet_length trim ltrim rtrim substr substring replace concat
   concat_ws position left right reverse ascii`,
  // dates
  `extract current_date current_time current_timestamp localtime localtimestamp`,
)
