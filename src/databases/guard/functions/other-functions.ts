import { commonFunctions } from './common-functions.ts'
import { functionNames } from './function-names.ts'

/**
 * For the dialects that no connector runs yet: standard SQL, and what BigQuery, Snowflake, SQL Server, ClickHouse
 * and Trino have for dates, choice and text. Short on purpose; a connector brings a list of its own.
 */
export const otherFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `approx_count_distinct approx_distinct array_agg count_if countif listagg median string_agg sum_if sumif`,
    `convert if iff ifnull isnull nvl safe_cast safe_divide try_cast`,
    `charindex contains datalength endswith ends_with initcap instr len split split_part startswith starts_with
     strpos`,
    `date date_add date_diff date_format date_part date_sub date_trunc dateadd datediff datename datepart datetime
     datetime_trunc day dayofweek dayofyear eomonth format_date getdate hour last_day minute month now parse_date
     quarter second timestamp timestamp_trunc to_char to_date to_timestamp toyear tomonth tostartofmonth week year
     unnest`,
  ),
])
