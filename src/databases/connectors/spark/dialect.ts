import type { RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  asMoment,
  collectingNames,
  elapsedBy,
  foldAscii,
  nothing,
  quoteText,
  sameWhenFolded,
} from '../standard-sql.ts'
import { warehouseDialect } from '../warehouse-dialect.ts'
import { sparkFunctions } from './functions.ts'
import { readSparkPlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is Spark SQL (Databricks).
- Names compare without case. Put a name in backticks when it holds spaces or is a keyword.
- Strings stand in single quotes and compare with case; ILIKE compares without.
- Dates: DATE '2026-01-31'; date_trunc('MONTH', d), year(d), date_format(d, 'yyyy-MM'); d + INTERVAL 1 MONTH, datediff(later, earlier).
- / divides with a fraction, DIV cuts. collect_list gathers, array_join(collect_list(x), ', ') joins texts.
- Every selected column that is not aggregated stands in GROUP BY. count_if(condition), count(*) FILTER (WHERE ...).
- Ascending order puts NULLs first; add NULLS LAST. The first few rows: ORDER BY ... LIMIT n.`

/** A name in backticks. */
export const quoteSparkName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Backslashes in plain strings are escapes. */
const quoteSparkText = (text: string): string =>
  `'${text.replaceAll('\0', '').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const truncate: RenderingRules['truncate'] = (unit, argument, type) => {
  const local = asMoment(argument, type)
  return unit === 'day'
    ? `CAST(${local} AS date)`
    : `CAST(date_trunc('${unit.toUpperCase()}', ${local}) AS date)`
}

/** `weekday` counts from Monday, which is 0. */
const datePart: RenderingRules['datePart'] = (part, argument, type) => {
  const local = asMoment(argument, type)
  const parts = {
    weekday: `weekday(${local}) + 1`,
    hour: `hour(${local})`,
    'month-of-year': `month(${local})`,
  }
  return parts[part]
}

const shift: RenderingRules['shift'] = (day, count, unit) => {
  const [amount, interval] = unit === 'quarter' ? [count * 3, 'month'] : [count, unit]
  return `CAST(${day} ${amount < 0 ? '-' : '+'} INTERVAL ${Math.abs(amount)} ${interval.toUpperCase()} AS date)`
}

const elapsed = elapsedBy((unit, from, until) =>
  unit === 'day' ? `datediff(${until}, ${from})` : `(unix_timestamp(${until}) - unix_timestamp(${from}))`,
)

/** Spark SQL, also of Databricks. Tokens follow "Literals" and "Identifiers" in its SQL reference. */
export const spark = warehouseDialect({
  name: 'spark',
  label: 'Spark or Databricks',
  promptNotes,
  lexical: {
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    backslashMayBePlain: true,
    stringPrefixes: ['x', 'r'],
    nestedComments: true,
    parameterSigns: '?:$',
  },
  grammar: { doubleQuotes: 'text' },
  guard: {
    functions: sparkFunctions,
    sizes: {
      paddedTypes: /^char$/,
      collecting: collectingNames('collect_list collect_set'),
      collectingSome: { min_by: 2, max_by: 2 },
    },
    systemTables: {
      // `parquet.\`/path\`` reads files.
      schemas:
        /^(?:information_schema|system|sys|global_temp|parquet|delta|json|csv|text|orc|avro|binaryfile|jdbc|xml|iceberg|hudi)$/,
      names: nothing,
    },
    readsFilesAsTables: true,
    tokenRefusal: (tokens, at) => {
      const token = tokens[at]
      const isBare = token?.kind === 'word' && tokens[at - 1]?.text !== '.'
      // `SELECT TRANSFORM (a) USING 'command'` starts a process on the servers.
      return isBare && token.value === 'using' && tokens[at + 1]?.kind === 'string'
        ? 'it runs a command (TRANSFORM ... USING)'
        : null
    },
  },
  address: { aliases: ['databricks'], defaultPort: 10_001, needsDatabase: false },
  loadConnector: async () => (await import('./connector.ts')).makeSparkConnector,
  rights: {
    fence: 'LIMIT 2147483647',
    sha256: text => `sha2(${text}, 256)`,
    maskedEnd: text => `concat('****', right(${text}, 4))`,
    bucket: (value, width) => `floor(${value} / ${width}) * ${width}`,
  },
  names: {
    bare: /^[A-Za-z_][A-Za-z0-9_]*$/,
    quote: quoteSparkName,
    same: sameWhenFolded(foldAscii),
    defaultSchema: 'default',
  },
  rendering: {
    quoteText: quoteSparkText,
    nullsLastWhen: 'desc',
    ignoresCase: 'ilike',
    // Timestamps are read in the zone of the session, which the connector sets.
    moment: (day, type) =>
      type === 'date' ? `DATE ${quoteText(day)}` : `TIMESTAMP ${quoteText(`${day} 00:00:00`)}`,
    truncate,
    datePart,
    shift,
    elapsed,
    percentile: (fraction, argument) => `percentile(${argument}, ${fraction})`,
    nullSafeEquals: (left, right) => `${left} <=> ${right}`,
  },
  typing: { sumsNumericText: true },
  scope: {
    hasWholeRows: true,
    hasGroupByAll: true,
    hasColumnPatterns: true,
    specialJoins: new Set(['semi', 'anti', 'leftsemi', 'leftanti']),
    mayCallOwn: () => true,
  },
  plan: { read: readSparkPlan, showsLimit: false },
  measuring: {
    asText: (column, name) =>
      /^(?:array|map|struct)/i.test(column.type) ? `to_json(${name})` : `CAST(${name} AS string)`,
    textLength: text => `char_length(${text})`,
    matchesShape: (text, _, pattern) => `${text} RLIKE ${quoteSparkText(pattern)}`,
    concurrency: 2,
  },
  repair,
})
