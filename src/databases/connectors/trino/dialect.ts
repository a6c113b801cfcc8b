import type { RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  collectingNames,
  elapsedBy,
  foldAscii,
  localTime,
  nothing,
  quoteText,
  sameWhenFolded,
  truncateWithDateTrunc,
} from '../standard-sql.ts'
import { warehouseDialect } from '../warehouse-dialect.ts'
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

const datePart: RenderingRules['datePart'] = (part, argument, type, timeZone) => {
  const field = { weekday: 'day_of_week', hour: 'hour', 'month-of-year': 'month' }[part]
  return `${field}(${localTime(argument, type, timeZone)})`
}

const shift: RenderingRules['shift'] = (day, count, unit) => {
  const [amount, interval] =
    unit === 'quarter' ? [count * 3, 'month'] : unit === 'week' ? [count * 7, 'day'] : [count, unit]
  return `CAST(${day} ${amount < 0 ? '-' : '+'} INTERVAL '${Math.abs(amount)}' ${interval.toUpperCase()} AS date)`
}

/** Trino. Tokens follow its grammar file; names fold to lower case, quoted or not. */
export const trino = warehouseDialect({
  name: 'trino',
  label: 'Trino',
  promptNotes,
  lexical: { stringPrefixes: ['x', 'u&'] },
  grammar: { callsWithoutBrackets: new Set([...callsWithoutBrackets, 'current_path']) },
  guard: {
    functions: trinoFunctions,
    sizes: {
      paddedTypes: /^char$/,
      collecting: collectingNames('histogram map_agg multimap_agg map_union'),
      collectingSome: {
        ...{ min: 1, max: 1, min_by: 2, max_by: 2 },
      },
    },
    systemTables: { schemas: /^(?:information_schema|system|jmx|pg_catalog)$/, names: nothing },
    tokenRefusal: (tokens, at) => {
      // `"orders$partitions"` shows what a connector keeps about a table.
      const token = tokens[at]
      return token?.kind === 'quoted' && token.value.includes('$')
        ? `it names ${token.value}, which belongs to the system`
        : null
    },
  },
  address: { defaultPort: 8080, needsDatabase: false },
  loadConnector: async () => (await import('./connector.ts')).makeTrinoConnector,
  rights: {
    fence: 'LIMIT 9223372036854775807',
    sha256: text => `lower(to_hex(sha256(to_utf8(${text}))))`,
    maskedEnd: text => `concat('****', substr(${text}, -4))`,
    bucket: (value, width) => `floor(CAST(${value} AS double) / ${width}) * ${width}`,
  },
  names: {
    bare: /^[a-z_][a-z0-9_]*$/,
    same: sameWhenFolded(foldAscii),
  },
  rendering: {
    quoteText,
    nullsLastWhen: 'asc',
    moment: (day, type, timeZone) => {
      if (type === 'date') return `DATE ${quoteText(day)}`
      return type === 'instant'
        ? `TIMESTAMP ${quoteText(`${day} 00:00:00 ${timeZone}`)}`
        : `TIMESTAMP ${quoteText(`${day} 00:00:00`)}`
    },
    truncate: truncateWithDateTrunc,
    datePart,
    shift,
    elapsed: elapsedBy((unit, from, until) => `date_diff('${unit}', ${from}, ${until})`, {
      divide: (seconds, by) => `${seconds} / ${by}e0`,
    }),
    percentile: (fraction, argument) => `approx_percentile(CAST(${argument} AS double), ${fraction})`,
  },
  scope: { hasWholeRows: false, hasGroupByAll: false, hasColumnPatterns: false, mayCallOwn: () => false },
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
  },
  repair,
})
