import type { DatabaseDialect, RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  foldAscii,
  isNotDistinct,
  lastFourOf,
  nothing,
  quoteName,
  quoteText,
  sameWhenFolded,
  secondsIn,
  standardSizes,
  standardTokens,
} from '../standard-sql.ts'
import { trinoFunctions } from './functions.ts'
import { readTrinoPlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is Trino.
- Names compare without case. Put a name in double quotes when it holds spaces or is a keyword. A table of another catalog is written catalog.schema.table.
- Strings stand in single quotes and compare with case; for any case, compare lower(x).
- Dates: DATE '2026-01-31'; date_trunc('month', d), EXTRACT(year FROM d), date_format(d, '%Y-%m'); d + INTERVAL '1' MONTH.
- A whole number divided by a whole number is cut to a whole number: write CAST(a AS double) / b.
- There is no ::type, no ILIKE and no string_agg: write CAST(x AS varchar), lower(x) LIKE and array_join(array_agg(x), ', ').
- Every selected column that is not aggregated stands in GROUP BY. COUNT(*) FILTER (WHERE ...) counts a part.
- NULLs come last in either order. The first few rows: ORDER BY ... LIMIT n.`

/** A moment as the type that its arithmetic needs, on the clock of a zone if it is an instant. */
const localTime = (
  argument: string,
  type: Parameters<RenderingRules['truncate']>[2],
  zone: string,
): string =>
  type === 'instant'
    ? `${argument} AT TIME ZONE ${quoteText(zone)}`
    : type === 'text'
      ? `CAST(${argument} AS timestamp)`
      : argument

const truncate: RenderingRules['truncate'] = (unit, argument, type, timeZone) => {
  const local = localTime(argument, type, timeZone)
  return unit === 'day' ? `CAST(${local} AS date)` : `CAST(date_trunc('${unit}', ${local}) AS date)`
}

const datePart: RenderingRules['datePart'] = (part, argument, type, timeZone) => {
  const field = { weekday: 'day_of_week', hour: 'hour', 'month-of-year': 'month' }[part]
  return `${field}(${localTime(argument, type, timeZone)})`
}

const shift: RenderingRules['shift'] = (day, count, unit) => {
  const [amount, interval] =
    unit === 'quarter' ? [count * 3, 'month'] : unit === 'week' ? [count * 7, 'day'] : [count, unit]
  return `CAST(${day} ${amount < 0 ? '-' : '+'} INTERVAL '${Math.abs(amount)}' ${interval.toUpperCase()} AS date)`
}

const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  const moment = (text: string): string => (type === 'text' ? `CAST(${text} AS timestamp)` : text)
  if (type === 'date' && unit === 'day') return `date_diff('day', ${from}, ${until})`
  const seconds = `date_diff('second', ${moment(from)}, ${moment(until)})`
  return unit === 'second' ? seconds : `${seconds} / ${secondsIn[unit]}e0`
}

/** Trino. Tokens follow its grammar file; names fold to lower case, quoted or not. */
export const trino: DatabaseDialect = {
  name: 'trino',
  label: 'Trino',
  promptNotes,
  parser: 'polyglot',
  polyglotName: 'trino',
  lexical: { ...standardTokens, stringPrefixes: ['x', 'u&'] },
  grammar: {
    callsWithoutBrackets: new Set([...callsWithoutBrackets, 'current_path']),
    doubleQuotes: 'name',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  guard: {
    functions: trinoFunctions,
    isPlainSchema: () => false,
    sizes: { ...standardSizes, paddedTypes: /^char$/ },
    systemTables: { schemas: /^(?:information_schema|system|jmx|pg_catalog)$/, names: nothing },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: false,
    tokenRefusal: (tokens, at) => {
      // `"orders$partitions"` shows what a connector keeps about a table.
      const token = tokens[at]
      return token?.kind === 'quoted' && token.value.includes('$')
        ? `it names ${token.value}, which belongs to the system`
        : null
    },
  },
  address: {
    kind: 'server',
    scheme: 'trino',
    aliases: [],
    defaultPort: 8080,
    socketParameter: 'socket',
    needsDatabase: false,
  },
  openConnector: async ({ location, name }, { timeZone, concurrency }) => {
    const { makeTrinoConnector } = await import('./connector.ts')
    return makeTrinoConnector({
      url: location,
      place: name,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { connections: concurrency }),
    })
  },
  // Rights are a matter of each cluster's access control.
  readOnlyRole: null,
  hasSessions: false,
  rights: {
    fence: 'LIMIT 9223372036854775807',
    hash: value => `substr(lower(to_hex(sha256(to_utf8(CAST(${value} AS varchar))))), 1, 16)`,
    lastFour: value =>
      lastFourOf(`CAST(${value} AS varchar)`, {
        length: `length(CAST(${value} AS varchar))`,
        end: `concat('****', substr(CAST(${value} AS varchar), -4))`,
      }),
    bucket: (value, width) => `floor(CAST(${value} AS double) / ${width}) * ${width}`,
  },
  names: {
    bare: /^[a-z_][a-z0-9_]*$/,
    quote: quoteName,
    fold: foldAscii,
    same: sameWhenFolded(foldAscii),
    defaultSchema: '',
    hasCatalogs: true,
  },
  rendering: {
    quoteText,
    booleans: { true: 'TRUE', false: 'FALSE' },
    starMustBeFirst: false,
    nullsLastWhen: 'asc',
    hasNullsLast: true,
    ignoresCase: 'lower',
    moment: (day, type, timeZone) => {
      if (type === 'date') return `DATE ${quoteText(day)}`
      return type === 'instant'
        ? `TIMESTAMP ${quoteText(`${day} 00:00:00 ${timeZone}`)}`
        : `TIMESTAMP ${quoteText(`${day} 00:00:00`)}`
    },
    truncate,
    datePart,
    shift,
    elapsed,
    ratio: (numerator, denominator) => `CAST(${numerator} AS double) / NULLIF(${denominator}, 0)`,
    percentile: (fraction, argument) => `approx_percentile(CAST(${argument} AS double), ${fraction})`,
    average: argument => `AVG(CAST(${argument} AS double))`,
    nullSafeEquals: isNotDistinct,
  },
  typing: { columns: 'declared', sumsNumericText: false, declaresKeys: false },
  scope: {
    hasStructFields: true,
    hasWholeRows: false,
    hasGroupByAll: false,
    inReadsTables: false,
    hasColumnPatterns: false,
    withIsRecursive: false,
    recursionIsSure: false,
    withSeesOuter: true,
    specialJoins: new Set(),
    functionColumns: () => null,
    searchWord: null,
    mayCallOwn: () => false,
    readsByPart: () => false,
    types: null,
    isImplied: () => false,
  },
  plan: { read: readTrinoPlan, showsLimit: false },
  measuring: {
    asText: (column, name) =>
      column.kind === 'text' && /^varchar/i.test(column.type)
        ? name
        : column.kind === 'json'
          ? `json_format(CAST(${name} AS json))`
          : `CAST(${name} AS varchar)`,
    textLength: text => `length(${text})`,
    // By a table of all values: DISTINCT of many columns at once takes a pass for each.
    countDistinct: value => `coalesce(cardinality(histogram(${value})), 0)`,
    matchesShape: (text, _, pattern) => `regexp_like(${text}, '${pattern}')`,
    // A sample picks whole splits, and reads all of those: far more than the first rows.
    tableSample: null,
    sampledRows: 30_000,
    joinsNeedIndex: false,
    concurrency: 3,
  },
  repair,
}
