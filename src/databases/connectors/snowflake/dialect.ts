import type { GuardRules, RenderingRules } from '../../../sql/sql-dialect.ts'
import type { MomentType } from '../../../sql/tree/query-tree.ts'
import {
  asMoment,
  collectingNames,
  elapsedBy,
  foldAscii,
  nothing,
  quoteEscaped,
  quoteText,
  sameWhenFolded,
} from '../standard-sql.ts'
import { warehouseDialect } from '../warehouse-dialect.ts'
import { snowflakeFunctions } from './functions.ts'
import { readSnowflakePlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is Snowflake.
- Names without quotes are folded to UPPER CASE. Put a name in double quotes when it holds lower-case letters or spaces or is a keyword. A table of another database is written DATABASE.SCHEMA.TABLE.
- Strings stand in single quotes and compare with case; ILIKE compares without. A backslash in a string is written \\\\.
- Dates: DATE '2026-01-31'; DATE_TRUNC('month', d), EXTRACT(year FROM d), TO_CHAR(d, 'YYYY-MM'); DATEADD(month, 1, d), DATEDIFF(day, a, b).
- Fields of a VARIANT: col:customer.name::varchar. Lists in rows: FROM t, LATERAL FLATTEN(input => t.items) f, then f.value.
- QUALIFY filters by a window function. COUNT_IF(...) counts a part. LISTAGG(x, ', ') joins texts.
- Every selected column that is not aggregated stands in GROUP BY.
- NULLs come last when ascending and first when descending. The first few rows: ORDER BY ... LIMIT n.`

const moment = (argument: string, type: MomentType): string => asMoment(argument, type, 'timestamp_ntz')

/** A moment on the clock of a zone if it is an instant. */
const localTime = (argument: string, type: MomentType, zone: string): string =>
  type === 'instant' ? `CONVERT_TIMEZONE(${quoteEscaped(zone)}, ${argument})` : moment(argument, type)

const truncate: RenderingRules['truncate'] = (unit, argument, type, timeZone) => {
  const local = localTime(argument, type, timeZone)
  const day = type === 'date' ? local : `CAST(${local} AS date)`
  if (unit === 'day') return day
  // A setting of the account decides where DATE_TRUNC begins a week.
  return unit === 'week' ? `DATEADD(day, 1 - DAYOFWEEKISO(${day}), ${day})` : `DATE_TRUNC('${unit}', ${day})`
}

const datePart: RenderingRules['datePart'] = (part, argument, type, timeZone) => {
  const field = { weekday: 'DAYOFWEEKISO', hour: 'HOUR', 'month-of-year': 'MONTH' }[part]
  return `${field}(${localTime(argument, type, timeZone)})`
}

/** Functions whose rows TABLE(...) may give; a text in its place names a table. */
const tableFunctions: ReadonlySet<string> = new Set(['flatten', 'split_to_table'])

const isName = (kind: string | undefined): boolean => kind === 'word' || kind === 'quoted'

/** Stages, texts that become names, and what else no tree shows. */
const tokenRefusal: GuardRules['tokenRefusal'] = (tokens, at) => {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (token === undefined) return null
  if (token.text === '@') return 'it reads files of a stage'
  if (token.text === '->>') return 'it reads the result of another statement'
  if (token.text === '/' && next?.text === '/' && next.start === token.end)
    return 'it has //, which begins a comment'
  // `:name` is a placeholder, and `column:field` is a part of a value.
  if (token.text === ':' && !(isName(before?.kind) || [')', ']'].includes(before?.text ?? '')))
    return 'it has a placeholder'
  if (!isName(token.kind)) return null
  if (before?.text === '.') return foldAscii(token.value) === 'nextval' ? 'it advances a sequence' : null
  if (token.value === 'table' && next?.text === '(' && !tableFunctions.has(tokens[at + 2]?.value ?? ''))
    return 'it reads TABLE(...) of something that is not on the list of allowed functions'
  if (token.kind === 'word' && token.value === 'identifier' && next?.text === '(')
    return 'it names something by a text (IDENTIFIER)'
  return foldAscii(token.value) === 'snowflake' && next?.text === '.'
    ? 'it reads the database SNOWFLAKE, which belongs to the system'
    : null
}

/** Snowflake. Names in quotes keep their case, all others are stored in upper case. */
export const snowflake = warehouseDialect({
  name: 'snowflake',
  label: 'Snowflake',
  promptNotes,
  lexical: {
    backslashEscapes: true,
    stringPrefixes: ['x'],
    dollarQuotes: true,
    parameterSigns: '?$',
  },
  guard: {
    functions: snowflakeFunctions,
    sizes: {
      paddedTypes: nothing,
      withIsRecursive: true,
      collecting: collectingNames('array_unique_agg array_union_agg object_agg'),
      collectingSome: { min_by: 2, max_by: 2 },
    },
    systemTables: {
      schemas:
        /^(?:information_schema|account_usage|organization_usage|reader_account_usage|data_sharing_usage)$/,
      names: nothing,
    },
    tokenRefusal,
  },
  address: { defaultPort: 443, needsDatabase: true },
  loadConnector: async () => (await import('./connector.ts')).makeSnowflakeConnector,
  rights: {
    // More rows than a table can have.
    fence: 'LIMIT 1000000000000',
    sha256: text => `SHA2(${text}, 256)`,
    maskedEnd: text => `CONCAT('****', RIGHT(${text}, 4))`,
    bucket: (value, width) => `FLOOR(${value} / ${width}) * ${width}`,
  },
  names: {
    bare: /^[A-Z_][A-Z0-9_$]*$/,
    // The catalog has no two names that differ only by case. Of a query in WITH, quotes decide, which no tree shows.
    same: (a, b, what) => {
      const same = sameWhenFolded(foldAscii)(a, b, what)
      return same === 'yes' && a !== b && what === 'query' ? 'maybe' : same
    },
  },
  rendering: {
    quoteText: quoteEscaped,
    nullsLastWhen: 'asc',
    ignoresCase: 'ilike',
    // Instants without an offset are read in the zone of the session, which the connector sets.
    moment: (day, type) => {
      if (type === 'date') return `DATE ${quoteText(day)}`
      const midnight = quoteText(`${day} 00:00:00`)
      return type === 'instant' ? `CAST(${midnight} AS timestamp_ltz)` : `CAST(${midnight} AS timestamp_ntz)`
    },
    truncate,
    datePart,
    shift: (day, count, unit) => `DATEADD(${unit}, ${count}, ${day})`,
    elapsed: elapsedBy((unit, from, until) => `DATEDIFF(${unit}, ${from}, ${until})`, {
      moment,
      divide: (seconds, by) => `CAST(${seconds} AS double) / ${by}`,
    }),
    percentile: (fraction, argument) => `PERCENTILE_CONT(${fraction}) WITHIN GROUP (ORDER BY ${argument})`,
  },
  typing: { sumsNumericText: true },
  scope: {
    hasWholeRows: false,
    hasGroupByAll: true,
    hasColumnPatterns: true,
    withIsRecursive: true,
    specialJoins: new Set(['asof']),
    functionColumns: name =>
      name.toLowerCase() === 'flatten' ? ['seq', 'key', 'path', 'index', 'value', 'this'] : null,
    mayCallOwn: () => true,
  },
  plan: { read: readSnowflakePlan, showsLimit: false },
  measuring: {
    asText: (column, name) => {
      if (/^geo/i.test(column.type)) return `ST_ASWKT(${name})`
      return column.kind === 'json' ? `TO_JSON(${name})` : `CAST(${name} AS varchar)`
    },
    textLength: text => `LENGTH(${text})`,
    matchesShape: (text, _, pattern) => `REGEXP_LIKE(${text}, ${quoteEscaped(pattern)})`,
  },
  repair,
})
