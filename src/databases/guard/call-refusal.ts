import type { ParseDialect } from '../../domain/sql.ts'
import type { SqlCall } from '../../sql/function-calls.ts'
import { commonFunctions, functionNames } from '../connectors/dialect.ts'
import { duckdbFunctions } from '../connectors/duckdb/functions.ts'
import { mysqlFunctions } from '../connectors/mysql/functions.ts'
import { postgresFunctions } from '../connectors/postgres/functions.ts'
import { sqliteFunctions } from '../connectors/sqlite/functions.ts'

/** Longest text that one call may be told to make, and most rows. */
const maxTextLength = 1_000

const maxSeries = 10_000_000

/**
 * Why a call is refused, in words; null when it is allowed. `extra` are names that the owner of the database
 * allows besides, with their schema where they are called with it.
 */
export const callRefusal = (
  call: SqlCall,
  dialect: ParseDialect,
  extra: ReadonlySet<string>,
): string | null => {
  const full = call.schema === null ? call.name : `${call.schema}.${call.name}`
  if (extra.has(full)) return null
  // `'a'.upper()` is how DuckDB chains calls, so what stands before the point is no schema there.
  const plain =
    call.schema === null || dialect === 'duckdb' || (dialect === 'postgres' && call.schema === 'pg_catalog')
  if (!plain || !allowedFunctions[dialect].has(call.name))
    return `it calls ${full}, which is not on the list of allowed functions`
  return sizeRefusal(call, dialect)
}

/** Functions that make as much as they are told to may only be told so by a small number that stands there. */
const sizeRefusal = ({ name, args }: SqlCall, dialect: ParseDialect): string | null => {
  if (name === 'lpad' || name === 'rpad') return isSmall(args[1]) ? null : tooLong(name)
  if (name === 'space') return isSmall(args[0]) ? null : tooLong(name)
  // MySQL's FORMAT writes a number with separators and takes no pattern.
  if (name === 'printf' || (name === 'format' && dialect !== 'mysql')) return formatRefusal(name, args[0])
  if (name === 'generate_series' || name === 'range')
    return args.some(arg => typeof arg === 'number' && arg > maxSeries)
      ? `it calls ${name} for more than ${maxSeries.toLocaleString('en')} rows`
      : null
  return null
}

const isSmall = (arg: string | number | null | undefined): boolean =>
  typeof arg === 'number' && arg >= 0 && arg <= maxTextLength

const tooLong = (name: string): string =>
  `it calls ${name} with a length that is not a number up to ${maxTextLength.toLocaleString('en')}`

/** `%1000000000d` makes a gigabyte out of one number. */
const formatRefusal = (name: string, format: string | number | null | undefined): string | null => {
  if (typeof format !== 'string') return `it calls ${name} with a format that does not stand there as text`
  return /\d{4}|\*/.test(format) ? `it calls ${name} with a width that is too large or not a number` : null
}

/**
 * For the dialects that no connector runs yet: standard SQL, and what BigQuery, Snowflake, SQL Server, ClickHouse
 * and Trino have for dates, choice and text. Short on purpose; a connector brings a list of its own.
 */
const otherFunctions: ReadonlySet<string> = new Set([
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

/** What may be called in each dialect. Whatever is not here is refused, whether or not it exists. */
const allowedFunctions: Readonly<Record<ParseDialect, ReadonlySet<string>>> = {
  postgres: postgresFunctions,
  sqlite: sqliteFunctions,
  mysql: mysqlFunctions,
  duckdb: duckdbFunctions,
  snowflake: otherFunctions,
  bigquery: otherFunctions,
  tsql: otherFunctions,
  clickhouse: otherFunctions,
  trino: otherFunctions,
}
