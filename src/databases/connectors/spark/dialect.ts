import type { DatabaseDialect, RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  countDistinct,
  foldAscii,
  lastFourOf,
  nothing,
  quoteText,
  sameWhenFolded,
  secondsIn,
  standardSizes,
  standardTokens,
} from '../standard-sql.ts'
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

const dateOf = (argument: string, type: Parameters<RenderingRules['truncate']>[2]): string =>
  type === 'text' ? `CAST(${argument} AS timestamp)` : argument

const truncate: RenderingRules['truncate'] = (unit, argument, type) => {
  const local = dateOf(argument, type)
  return unit === 'day'
    ? `CAST(${local} AS date)`
    : `CAST(date_trunc('${unit.toUpperCase()}', ${local}) AS date)`
}

/** `weekday` counts from Monday, which is 0. */
const datePart: RenderingRules['datePart'] = (part, argument, type) => {
  const local = dateOf(argument, type)
  switch (part) {
    case 'weekday':
      return `weekday(${local}) + 1`
    case 'hour':
      return `hour(${local})`
    case 'month-of-year':
      return `month(${local})`
    default: {
      const never: never = part
      return never
    }
  }
}

const shift: RenderingRules['shift'] = (day, count, unit) => {
  const [amount, interval] = unit === 'quarter' ? [count * 3, 'month'] : [count, unit]
  return `CAST(${day} ${amount < 0 ? '-' : '+'} INTERVAL ${Math.abs(amount)} ${interval.toUpperCase()} AS date)`
}

const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  if (type === 'date' && unit === 'day') return `datediff(${until}, ${from})`
  const seconds = `(unix_timestamp(${dateOf(until, type)}) - unix_timestamp(${dateOf(from, type)}))`
  return unit === 'second' ? seconds : `${seconds} / ${secondsIn[unit]}`
}

/** Spark SQL, also of Databricks. Tokens follow "Literals" and "Identifiers" in its SQL reference. */
export const spark: DatabaseDialect = {
  name: 'spark',
  label: 'Spark or Databricks',
  promptNotes,
  parser: 'polyglot',
  polyglotName: 'spark',
  lexical: {
    ...standardTokens,
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    backslashMayBePlain: true,
    stringPrefixes: ['x', 'r'],
    nestedComments: true,
    parameterSigns: '?:$',
  },
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'text',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  guard: {
    functions: sparkFunctions,
    isPlainSchema: () => false,
    sizes: { ...standardSizes, paddedTypes: /^char$/ },
    systemTables: {
      // `parquet.\`/path\`` reads files.
      schemas:
        /^(?:information_schema|system|sys|global_temp|parquet|delta|json|csv|text|orc|avro|binaryfile|jdbc|xml|iceberg|hudi)$/,
      names: nothing,
    },
    readsFilesAsTables: true,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: false,
    tokenRefusal: (tokens, at) => {
      const token = tokens[at]
      const isBare = token?.kind === 'word' && tokens[at - 1]?.text !== '.'
      // `SELECT TRANSFORM (a) USING 'command'` starts a process on the servers.
      return isBare && token.value === 'using' && tokens[at + 1]?.kind === 'string'
        ? 'it runs a command (TRANSFORM ... USING)'
        : null
    },
  },
  address: {
    kind: 'server',
    scheme: 'spark',
    aliases: ['databricks'],
    defaultPort: 10_001,
    socketParameter: 'socket',
    needsDatabase: false,
  },
  openConnector: async ({ location, name }, { timeZone, concurrency }) => {
    const { makeSparkConnector } = await import('./connector.ts')
    return makeSparkConnector({
      url: location,
      place: name,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { connections: concurrency }),
    })
  },
  // Rights are a matter of each metastore, and users one of what stands before it.
  readOnlyRole: null,
  hasSessions: false,
  rights: {
    fence: 'LIMIT 2147483647',
    hash: value => `substr(sha2(CAST(${value} AS string), 256), 1, 16)`,
    lastFour: value =>
      lastFourOf(`CAST(${value} AS string)`, {
        length: `char_length(CAST(${value} AS string))`,
        end: `concat('****', right(CAST(${value} AS string), 4))`,
      }),
    bucket: (value, width) => `floor(${value} / ${width}) * ${width}`,
  },
  names: {
    bare: /^[A-Za-z_][A-Za-z0-9_]*$/,
    quote: quoteSparkName,
    fold: foldAscii,
    same: sameWhenFolded(foldAscii),
    defaultSchema: 'default',
    hasCatalogs: true,
  },
  rendering: {
    quoteText: quoteSparkText,
    booleans: { true: 'TRUE', false: 'FALSE' },
    starMustBeFirst: false,
    nullsLastWhen: 'desc',
    hasNullsLast: true,
    ignoresCase: 'ilike',
    // Timestamps are read in the zone of the session, which the connector sets.
    moment: (day, type) =>
      type === 'date' ? `DATE ${quoteText(day)}` : `TIMESTAMP ${quoteText(`${day} 00:00:00`)}`,
    truncate,
    datePart,
    shift,
    elapsed,
    ratio: (numerator, denominator) => `CAST(${numerator} AS double) / NULLIF(${denominator}, 0)`,
    percentile: (fraction, argument) => `percentile(${argument}, ${fraction})`,
    average: argument => `AVG(CAST(${argument} AS double))`,
    nullSafeEquals: (left, right) => `${left} <=> ${right}`,
  },
  typing: { columns: 'declared', sumsNumericText: true, declaresKeys: false },
  scope: {
    hasStructFields: true,
    hasWholeRows: true,
    hasGroupByAll: true,
    inReadsTables: false,
    hasColumnPatterns: true,
    withIsRecursive: false,
    recursionIsSure: false,
    withSeesOuter: true,
    specialJoins: new Set(['semi', 'anti', 'leftsemi', 'leftanti']),
    functionColumns: () => null,
    searchWord: null,
    mayCallOwn: () => true,
    readsByPart: () => false,
    types: null,
    isImplied: () => false,
  },
  plan: { read: readSparkPlan, showsLimit: false },
  measuring: {
    asText: (column, name) =>
      /^(?:array|map|struct)/i.test(column.type) ? `to_json(${name})` : `CAST(${name} AS string)`,
    textLength: text => `char_length(${text})`,
    countDistinct,
    matchesShape: (text, _, pattern) => `${text} RLIKE ${quoteSparkText(pattern)}`,
    // A sample of rows reads all of them; the first rows do not.
    tableSample: null,
    sampledRows: 30_000,
    joinsNeedIndex: false,
    concurrency: 2,
  },
  repair,
}
