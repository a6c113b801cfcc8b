import type { RenderingRules } from '../../../sql/sql-dialect.ts'
import type { DateUnit, MomentType } from '../../../sql/tree/query-tree.ts'
import { collectingNames, elapsedBy, quoteEscaped, quoteText } from '../standard-sql.ts'
import { warehouseDialect } from '../warehouse-dialect.ts'
import { clickhouseFunctions } from './functions.ts'
import { readClickhousePlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is ClickHouse.
- Names and functions compare with case. Put a name in backticks when it holds spaces or is a keyword.
- Strings stand in single quotes and compare with case; for any case, compare lowerUTF8(x).
- Dates: toDate('2026-01-31'); toStartOfMonth(d), toYear(d), formatDateTime(d, '%Y-%m'); addMonths(d, 1), dateDiff('day', a, b).
- / divides with a fraction, intDiv cuts. count(DISTINCT x), countIf(condition), sumIf(x, condition).
- Every selected column that is not aggregated stands in GROUP BY.
- A join needs equal columns in ON. NULLs come last in either order. The first few rows: ORDER BY ... LIMIT n.`

const quoteClickhouseName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

const dayOf = (argument: string, type: MomentType): string =>
  type === 'text' ? `toDate(${argument})` : argument

const starts: Readonly<Record<DateUnit, string>> = {
  day: 'toDate',
  week: 'toMonday',
  month: 'toStartOfMonth',
  quarter: 'toStartOfQuarter',
  year: 'toStartOfYear',
}

const truncate: RenderingRules['truncate'] = (unit, argument, type) =>
  `${starts[unit]}(${dayOf(argument, type)})`

const datePart: RenderingRules['datePart'] = (part, argument, type) => {
  const name = { weekday: 'toDayOfWeek', hour: 'toHour', 'month-of-year': 'toMonth' }[part]
  return `${name}(${dayOf(argument, type)})`
}

const shifts = {
  day: 'addDays',
  week: 'addWeeks',
  month: 'addMonths',
  quarter: 'addMonths',
  year: 'addYears',
} as const

const shift: RenderingRules['shift'] = (day, count, unit) =>
  `${shifts[unit]}(${day}, ${unit === 'quarter' ? count * 3 : count})`

/** ClickHouse. Names are compared with case, functions too; tokens follow "Syntax" in its reference. */
export const clickhouse = warehouseDialect({
  name: 'clickhouse',
  label: 'ClickHouse',
  promptNotes,
  lexical: { nameQuotes: { '"': '"', '`': '`' }, backslashEscapes: true },
  grammar: { foldsCase: { tables: false, columns: false } },
  guard: {
    functions: clickhouseFunctions,
    sizes: {
      format: 'braces',
      paddedTypes: /^fixedstring$/,
      collecting: collectingNames('grouparray groupuniqarray summap'),
    },
    systemTables: {
      schemas: /^(?:system|information_schema|_temporary_and_external_tables)$/,
      names: /^\.inner/,
    },
    subqueryKeepsOrder: true,
    tokenRefusal: (tokens, at) => {
      const token = tokens[at]
      const next = tokens[at + 1]
      if (token?.kind !== 'word' || tokens[at - 1]?.text === '.') return null
      if (token.value === 'settings' && next?.kind === 'word' && tokens[at + 2]?.text === '=')
        return 'it changes settings (SETTINGS)'
      if (token.value === 'format' && next?.kind === 'word' && tokens[at + 2] === undefined)
        return 'it chooses a format (FORMAT)'
      return token.value === 'outfile' ? 'it writes its rows into a file (INTO OUTFILE)' : null
    },
  },
  address: { defaultPort: 8123, needsDatabase: false },
  loadConnector: async () => (await import('./connector.ts')).makeClickhouseConnector,
  readOnlyRole: ({ role, password, database }) => [
    `CREATE USER ${role} IDENTIFIED BY '${password}' SETTINGS readonly = 2;`,
    `GRANT SELECT ON ${quoteClickhouseName(database === '' ? 'default' : database)}.* TO ${role};`,
  ],
  rights: {
    fence: 'LIMIT 9223372036854775807',
    asText: value => `toString(${value})`,
    sha256: text => `lower(hex(SHA256(${text})))`,
    maskedEnd: text => `concat('****', substringUTF8(${text}, -4))`,
    bucket: (value, width) => `floor(${value} / ${width}) * ${width}`,
  },
  names: {
    bare: /^[A-Za-z_][A-Za-z0-9_]*$/,
    quote: quoteClickhouseName,
    fold: name => name,
    same: (a, b) => (a === b ? 'yes' : 'no'),
    defaultSchema: 'default',
    hasCatalogs: false,
  },
  rendering: {
    quoteText: quoteEscaped,
    booleans: { true: '1', false: '0' },
    nullsLastWhen: 'asc',
    moment: (day, type) =>
      type === 'date' ? `toDate(${quoteText(day)})` : `toDateTime(${quoteText(`${day} 00:00:00`)})`,
    truncate,
    datePart,
    shift,
    elapsed: elapsedBy((unit, from, until) => `dateDiff('${unit}', ${from}, ${until})`, {
      moment: (argument, type) => (type === 'text' ? `toDateTime(${argument})` : argument),
    }),
    // A division always has a fraction here.
    ratio: (numerator, denominator) => `${numerator} / nullIf(${denominator}, 0)`,
    percentile: null,
    average: argument => `avg(${argument})`,
    nullSafeEquals: (left, right) => `(${left} = ${right} OR (${left} IS NULL AND ${right} IS NULL))`,
  },
  scope: {
    labels: { madeFromData: false, calls: new Set(['totypename']) },
    hasWholeRows: false,
    hasGroupByAll: true,
    inReadsTables: true,
    hasColumnPatterns: true,
    mayCallOwn: () => true,
  },
  plan: { read: readClickhousePlan, showsLimit: false },
  measuring: {
    asText: (_, name) => `toString(${name})`,
    textLength: text => `lengthUTF8(${text})`,
    countDistinct: value => `uniqExact(${value})`,
    findsValuesBy: 'in',
    matchesShape: (text, _, pattern) => `match(${text}, ${quoteEscaped(pattern)})`,
  },
  repair,
})
