import type { Column } from '../../domain/catalog.ts'
import type { DateUnit } from '../../domain/metrics/metric-query.ts'
import type { DurationUnit } from '../../domain/metrics/semantic-layer.ts'
import type {
  GuardRules,
  LexicalRules,
  MeasuringRules,
  NameRules,
  PlannedRead,
  RenderingRules,
  SizeRules,
} from '../../sql/sql-dialect.ts'
import type { MomentType } from '../../sql/tree/query-tree.ts'

/** Tokens of standard SQL; a dialect spreads it and changes what is different. */
export const standardTokens: LexicalRules = {
  nameQuotes: { '"': '"' },
  stringQuotes: ["'"],
  backslashEscapes: false,
  backslashMayBePlain: false,
  stringPrefixes: [],
  dollarQuotes: false,
  nestedComments: false,
  hashComments: false,
  dashesNeedSpace: false,
  executableComments: false,
  parameterSigns: '?',
}

/** A set of names, from lines of names with spaces between them. */
export const functionNames = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap(line => line.trim().split(/\s+/)))

const collectingAnywhere: ReadonlySet<string> = functionNames(
  'string_agg group_concat listagg array_agg json_agg jsonb_agg json_arrayagg json_objectagg json_object_agg',
)

/** Aggregates that put the values of all rows together: those of most dialects, and more. */
export const collectingNames = (...more: readonly string[]): ReadonlySet<string> =>
  new Set(
    [...collectingAnywhere, ...more.flatMap(line => [...functionNames(line)])].map(name =>
      name.replaceAll('_', ''),
    ),
  )

/** Sizes where nothing special is known. */
export const standardSizes: SizeRules = {
  format: 'percent',
  replacesEveryMatch: true,
  collecting: collectingNames(),
  collectingSome: {},
  longestGroupConcat: Number.POSITIVE_INFINITY,
  longestValue: 4_000_000,
  paddedTypes: /^(?:char|character|bpchar|nchar|bit|binary)$/,
  longestPower: 40,
  withIsRecursive: false,
}

/** Asterisks and the last four characters of a text; of a shorter one, asterisks alone. */
export const lastFourOf = (
  text: string,
  { length, end }: { readonly length: string; readonly end: string },
): string => `CASE WHEN ${length} > 4 THEN ${end} WHEN ${text} IS NOT NULL THEN '****' END`

/** A regular expression that matches nothing. */
export const nothing = /(?!)/

/** A text in apostrophes. NUL cannot be part of a text in any database, so it is dropped. */
export const quoteText = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`

/** A text in apostrophes where a backslash begins an escape. */
export const quoteEscaped = (text: string): string => quoteText(text.replaceAll('\\', '\\\\'))

/** A name in double quotes. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A name with its ASCII letters in lower case. */
export const foldAscii = (name: string): string => name.replace(/[A-Z]/g, letter => letter.toLowerCase())

/** Names that have one form are the same, and others are not: there is no doubt. */
export const sameWhenFolded =
  (fold: NameRules['fold']): NameRules['same'] =>
  (a, b) =>
    a === b || fold(a) === fold(b) ? 'yes' : 'no'

/** A moment as a typed literal, with the zone in which it is midnight for columns that hold instants. */
export const zonedMoment: RenderingRules['moment'] = (day, type, timeZone) => {
  if (type === 'date') return `DATE ${quoteText(day)}`
  const midnight = `TIMESTAMP ${quoteText(`${day} 00:00:00`)}`
  return type === 'instant' ? `${midnight} AT TIME ZONE ${quoteText(timeZone)}` : midnight
}

/** A moment that can be computed with: texts are cast. */
export const asMoment = (argument: string, type: MomentType, timestamp = 'timestamp'): string =>
  type === 'text' ? `CAST(${argument} AS ${timestamp})` : argument

/** A moment on the clock of a time zone if it is an instant. */
export const localTime = (argument: string, type: MomentType, timeZone: string): string =>
  type === 'instant' ? `${argument} AT TIME ZONE ${quoteText(timeZone)}` : asMoment(argument, type)

/** Truncation by `date_trunc`, in a time zone for columns that hold instants. */
export const truncateWithDateTrunc: RenderingRules['truncate'] = (unit, argument, type, timeZone) => {
  const local = localTime(argument, type, timeZone)
  return unit === 'day' ? `CAST(${local} AS date)` : `CAST(date_trunc('${unit}', ${local}) AS date)`
}

/** Parts of a moment by EXTRACT, in a time zone for columns that hold instants. */
export const datePartWithExtract: RenderingRules['datePart'] = (part, argument, type, timeZone) => {
  const local = localTime(argument, type, timeZone)
  const field = { weekday: 'isodow', hour: 'hour', 'month-of-year': 'month' }[part]
  return `EXTRACT(${field} FROM ${local})`
}

/** A day moved by an interval. */
export const shiftByInterval: RenderingRules['shift'] = (day, count, unit) =>
  `CAST(${day} ${count < 0 ? '-' : '+'} ${intervalText(Math.abs(count), unit)} AS date)`

/** `INTERVAL '3 months'`. A quarter is no unit of an interval everywhere. */
const intervalText = (count: number, unit: DateUnit): string => {
  if (unit === 'quarter') return intervalText(count * 3, 'month')
  return `INTERVAL '${count} ${unit}${count === 1 ? '' : 's'}'`
}

/** Equal, or both NULL. */
export const isNotDistinct: RenderingRules['nullSafeEquals'] = (left, right) =>
  `${left} IS NOT DISTINCT FROM ${right}`

/** Seconds in a unit of a duration. */
export const secondsIn: Readonly<Record<DurationUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
}

/** The time between two moments by their seconds since 1970. */
export const elapsedByEpoch: RenderingRules['elapsed'] = (unit, from, until, type) => {
  if (type === 'date' && unit === 'day') return `(${until} - ${from})`
  if (type === 'date') return `(${until} - ${from}) * ${secondsIn.day / secondsIn[unit]}`
  const seconds = `EXTRACT(EPOCH FROM ${asMoment(until, type)} - ${asMoment(from, type)})`
  return unit === 'second' ? seconds : `${seconds} / ${secondsIn[unit]}`
}

/** The time between two moments, by what counts the days between dates and the seconds between moments. */
export const elapsedBy =
  (
    count: (unit: 'day' | 'second', from: string, until: string) => string,
    {
      moment = asMoment,
      divide = (seconds, by) => `${seconds} / ${by}`,
    }: {
      readonly moment?: (argument: string, type: MomentType) => string
      readonly divide?: (seconds: string, by: number) => string
    } = {},
  ): RenderingRules['elapsed'] =>
  (unit, from, until, type) => {
    if (type === 'date' && unit === 'day') return count('day', from, until)
    const seconds = count('second', moment(from, type), moment(until, type))
    return unit === 'second' ? seconds : divide(seconds, secondsIn[unit])
  }

/** A division that is not cut to a whole number. */
export const ratioWithDecimals: RenderingRules['ratio'] = (numerator, denominator) =>
  `1.0 * ${numerator} / NULLIF(${denominator}, 0)`

/** Types that min, max and `length` take as they are. */
const plainText = /^(text|character varying|varchar|citext)\b/i

/** A column as text, cast unless it is one already. A cast takes the padding off `char(5)`, as comparisons do. */
export const castToText: MeasuringRules['asText'] = (column: Column, name) =>
  column.kind === 'text' && plainText.test(column.type) ? name : `CAST(${name} AS text)`

/** Exactly how many values there are. */
export const countDistinct: MeasuringRules['countDistinct'] = value => `count(DISTINCT ${value})`

/** Refuses two strings side by side (to polyglot one long string) and names that belong to the system. */
export const refuseSystemNames: GuardRules['tokenRefusal'] = (tokens, at) => {
  const token = tokens[at]
  // `'t' 'x'` is a table and its alias in SQLite.
  if (token?.kind === 'string' && tokens[at + 1]?.kind === 'string') return 'it has two strings side by side'
  const isName = token?.kind === 'word' || token?.kind === 'quoted'
  return isName && /^(?:sqlite_|pragma_|duckdb_)/i.test(token.value)
    ? `it names ${token.value}, which belongs to the system`
    : null
}

/** Functions without brackets that standard SQL has. */
export const datesWithoutBrackets: readonly string[] = ['current_date', 'current_time', 'current_timestamp']

export const callsWithoutBrackets: ReadonlySet<string> = new Set([
  ...datesWithoutBrackets,
  ...['localtime', 'localtimestamp', 'current_user', 'session_user', 'system_user', 'current_role'],
  ...['current_catalog', 'current_schema', 'current_database'],
])

/** What a plan counts as that cannot be read. An empty list would be a plan that reads nothing. */
export const unreadablePlan: readonly PlannedRead[] = [{ table: null, rows: null }]

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

/** How a query can begin, after white space, comments and parentheses. */
const beginning = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(?:select|with|values|table)\b/i

/**
 * True if the first word makes a statement a query. A read-only transaction stops writes, but not statements that set,
 * call or show.
 */
export const startsAsQuery = (sql: string): boolean => beginning.test(sql)

/**
 * The lower end of a bucket for a column whose numbers begin at `lowest`. A bucket that begins below it is shown as
 * `lowest`, or the type of the column could not hold it.
 */
export const bucketWithin = (
  value: string,
  width: number,
  { lowest, lowerEnd }: { readonly lowest: string; readonly lowerEnd: string },
): string => {
  const [whole = '0'] = lowest.replace('-', '').split('.')
  const first = (BigInt(whole) / BigInt(width)) * BigInt(width)
  return `CASE WHEN ${value} < -${first} THEN ${lowest} ELSE ${lowerEnd} END`
}
