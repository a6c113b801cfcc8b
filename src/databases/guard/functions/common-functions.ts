import { functionNames } from './function-names.ts'

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
