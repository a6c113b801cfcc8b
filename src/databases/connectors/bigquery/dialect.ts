import type { RenderingRules } from '../../../sql/sql-dialect.ts'
import type { MomentType } from '../../../sql/tree/query-tree.ts'
import {
  asMoment,
  callsWithoutBrackets,
  collectingNames,
  foldAscii,
  quoteText,
  secondsIn,
} from '../standard-sql.ts'
import { warehouseDialect } from '../warehouse-dialect.ts'
import { bigqueryFunctions } from './functions.ts'
import { readBigqueryBytes, readBigqueryPlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is BigQuery (GoogleSQL).
- Columns compare without case, tables with it. Put a name in backticks when it holds dashes or is a keyword: \`my-project\`.shop.orders.
- Strings stand in single quotes and compare with case; for any case, compare LOWER(x). Write a quote inside as \\'.
- Dates: DATE '2026-01-31'; DATE_TRUNC(d, MONTH), EXTRACT(YEAR FROM d), FORMAT_DATE('%Y-%m', d), DATE_ADD(d, INTERVAL 1 MONTH), DATE_DIFF(later, earlier, DAY). DATETIME_ and TIMESTAMP_ functions for those types.
- / divides with a fraction; SAFE_DIVIDE gives NULL for 0. There is no ::type and no ILIKE: CAST(x AS STRING).
- An array is read with FROM t, UNNEST(t.items) AS item; a field of a struct as item.sku.
- Reading is billed by column: select only the columns needed, and filter on the partition column. LIMIT saves nothing.
- Every selected column that is not aggregated stands in GROUP BY. COUNTIF(condition). Columns of a result need different names.`

/** A text of BigQuery: a backslash escapes, and a doubled quote does not. */
const quoteBigqueryText = (text: string): string =>
  `'${text
    .replaceAll('\0', '')
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')}'`

const quoteBigqueryName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

/** A moment on the clock of a zone if it is an instant. */
const localTime = (argument: string, type: MomentType, zone: string): string =>
  type === 'instant' ? `DATETIME(${argument}, ${quoteText(zone)})` : asMoment(argument, type, 'DATETIME')

const truncate: RenderingRules['truncate'] = (unit, argument, type, timeZone) => {
  const day = type === 'date' ? argument : `DATE(${localTime(argument, type, timeZone)})`
  return unit === 'day' ? day : `DATE_TRUNC(${day}, ${unit === 'week' ? 'ISOWEEK' : unit.toUpperCase()})`
}

/** DAYOFWEEK counts from Sunday, which is 1. */
const datePart: RenderingRules['datePart'] = (part, argument, type, timeZone) => {
  const local = localTime(argument, type, timeZone)
  if (part === 'weekday') return `MOD(EXTRACT(DAYOFWEEK FROM ${local}) + 5, 7) + 1`
  return `EXTRACT(${part === 'hour' ? 'HOUR' : 'MONTH'} FROM ${local})`
}

const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  if (type === 'date' && unit === 'day') return `DATE_DIFF(${until}, ${from}, DAY)`
  const moment = (text: string): string =>
    type === 'instant' ? text : type === 'text' ? `CAST(${text} AS DATETIME)` : `DATETIME(${text})`
  const differ = type === 'instant' ? 'TIMESTAMP_DIFF' : 'DATETIME_DIFF'
  const seconds = `${differ}(${moment(until)}, ${moment(from)}, SECOND)`
  return unit === 'second' ? seconds : `${seconds} / ${secondsIn[unit]}`
}

/** Words of the catalog that may stand inside a dotted name in backticks. */
const systemWord = /(?:^|\.)(?:information_schema(?:$|\.)|__\w+__$)/i

/**
 * BigQuery. Tokens follow "Lexical structure and syntax" of GoogleSQL; a list of its own refuses what our rules for
 * tokens would cut in another way: a doubled quote does not stand for a quote, three of them open a longer text.
 */
export const bigquery = warehouseDialect({
  name: 'bigquery',
  label: 'BigQuery',
  promptNotes,
  lexical: {
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    stringPrefixes: ['r', 'b', 'rb', 'br'],
    hashComments: true,
    parameterSigns: '?@',
  },
  grammar: {
    callsWithoutBrackets: new Set([...callsWithoutBrackets, 'current_datetime']),
    doubleQuotes: 'text',
    foldsCase: { tables: false, columns: true },
  },
  guard: {
    functions: bigqueryFunctions,
    // SAFE.f() is f() with NULL for its errors.
    isPlainSchema: schema => schema === 'safe',
    sizes: {
      collecting: collectingNames('array_concat_agg'),
      collectingSome: { min_by: 2, max_by: 2 },
    },
    systemTables: {
      schemas: /^(?:information_schema|.*\.information_schema)$/,
      names: /^(?:information_schema(?:\..*)?|.*\.information_schema\..*|(?:.*\.)?__\w+__)$/,
    },
    tokenRefusal: (tokens, at) => {
      const token = tokens[at]
      if (token === undefined) return null
      const { kind, text, value } = token
      if (
        kind === 'string' &&
        /^\w*(?:'(?:[^'\\]|\\.)*''|"(?:[^"\\]|\\.)*"")/s.test(text) &&
        !/^\w*(?:''|"")$/.test(text)
      )
        return 'it has a doubled quote in a text, which does not stand for a quote here'
      if (kind === 'quoted' && /[\\`]/.test(value)) return 'it has a backslash or a backtick in a name'
      if ((kind === 'quoted' || kind === 'word') && systemWord.test(value))
        return `it reads ${value}, a system table`
      return null
    },
  },
  address: {
    defaultPort: 443,
    needsDatabase: false,
    form: 'bigquery://PROJECT/DATASET',
  },
  loadConnector: async () => (await import('./connector.ts')).makeBigqueryConnector,
  rights: {
    fence: 'LIMIT 9223372036854775807',
    sha256: text => `TO_HEX(SHA256(${text}))`,
    maskedEnd: text => `CONCAT('****', RIGHT(${text}, 4))`,
    bucket: (value, width) => `FLOOR(${value} / ${width}) * ${width}`,
  },
  names: {
    bare: /^[A-Za-z_][A-Za-z0-9_]*$/,
    quote: quoteBigqueryName,
    // A dataset can be made to compare the names of its tables without case.
    same: (a, b, what) => {
      if (a === b) return 'yes'
      if (foldAscii(a) !== foldAscii(b)) return 'no'
      return what === 'table' ? 'maybe' : 'yes'
    },
  },
  rendering: {
    quoteText: quoteBigqueryText,
    nullsLastWhen: 'desc',
    moment: (day, type, timeZone) => {
      if (type === 'date') return `DATE ${quoteText(day)}`
      return type === 'instant'
        ? `TIMESTAMP ${quoteText(`${day} 00:00:00 ${timeZone}`)}`
        : `DATETIME ${quoteText(`${day} 00:00:00`)}`
    },
    truncate,
    datePart,
    shift: (day, count, unit) => `DATE_ADD(${day}, INTERVAL ${count} ${unit.toUpperCase()})`,
    elapsed,
    ratio: (numerator, denominator) => `${numerator} / NULLIF(${denominator}, 0)`,
    // PERCENTILE_CONT is a window function here; a thousand steps are close enough to interpolate.
    percentile: (fraction, argument) =>
      `APPROX_QUANTILES(${argument}, 1000)[OFFSET(${Math.round(fraction * 1000)})]`,
    average: argument => `AVG(${argument})`,
  },
  scope: { hasWholeRows: true, hasGroupByAll: true, hasColumnPatterns: false, mayCallOwn: () => false },
  // A LIMIT does not make a statement read less: only the dry run knows.
  plan: { read: readBigqueryPlan, readBytes: readBigqueryBytes, showsLimit: true },
  measuring: {
    asText: (column, name) =>
      /^(?:ARRAY|STRUCT|JSON|RANGE|GEOGRAPHY)/.test(column.type)
        ? `TO_JSON_STRING(${name})`
        : `CAST(${name} AS STRING)`,
    textLength: text => `CHAR_LENGTH(${text})`,
    matchesShape: (text, _, pattern) => `REGEXP_CONTAINS(${text}, ${quoteBigqueryText(pattern)})`,
    // Only the blocks of the sample are billed, while the first rows are billed like all of them.
    tableSample: percent => `TABLESAMPLE SYSTEM (${percent} PERCENT)`,
  },
  repair,
})
