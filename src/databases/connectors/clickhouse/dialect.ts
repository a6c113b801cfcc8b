import type { DatabaseDialect, RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  lastFourOf,
  quoteText,
  secondsIn,
  standardSizes,
  standardTokens,
} from '../standard-sql.ts'
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

/** A text of ClickHouse: backslashes escape. */
export const quoteClickhouseText = (text: string): string => quoteText(text.replaceAll('\\', '\\\\'))

const quoteClickhouseName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

const dayOf = (argument: string, type: Parameters<RenderingRules['truncate']>[2]): string =>
  type === 'text' ? `toDate(${argument})` : argument

const starts: Readonly<Record<Parameters<RenderingRules['truncate']>[0], string>> = {
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

const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  const moment = (text: string): string => (type === 'text' ? `toDateTime(${text})` : text)
  if (type === 'date' && unit === 'day') return `dateDiff('day', ${from}, ${until})`
  const seconds = `dateDiff('second', ${moment(from)}, ${moment(until)})`
  return unit === 'second' ? seconds : `${seconds} / ${secondsIn[unit]}`
}

/** ClickHouse. Names are compared with case, functions too; tokens follow "Syntax" in its reference. */
export const clickhouse: DatabaseDialect = {
  name: 'clickhouse',
  label: 'ClickHouse',
  promptNotes,
  parser: 'polyglot',
  polyglotName: 'clickhouse',
  lexical: { ...standardTokens, nameQuotes: { '"': '"', '`': '`' }, backslashEscapes: true },
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'name',
    foldsCase: { tables: false, columns: false },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  guard: {
    functions: clickhouseFunctions,
    isPlainSchema: () => false,
    sizes: { ...standardSizes, format: 'braces', paddedTypes: /^fixedstring$/ },
    systemTables: {
      schemas: /^(?:system|information_schema|_temporary_and_external_tables)$/,
      names: /^\.inner/,
    },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
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
  address: {
    kind: 'server',
    scheme: 'clickhouse',
    aliases: [],
    defaultPort: 8123,
    socketParameter: 'socket',
    needsDatabase: false,
  },
  openConnector: async ({ location, name }, { timeZone, concurrency }) => {
    const { makeClickhouseConnector } = await import('./connector.ts')
    return makeClickhouseConnector({
      url: location,
      place: name,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { connections: concurrency }),
    })
  },
  readOnlyRole: ({ role, password, database }) => [
    `CREATE USER ${role} IDENTIFIED BY '${password}' SETTINGS readonly = 2;`,
    `GRANT SELECT ON ${quoteClickhouseName(database === '' ? 'default' : database)}.* TO ${role};`,
  ],
  hasSessions: false,
  rights: {
    fence: 'LIMIT 9223372036854775807',
    hash: value => `substring(hex(SHA256(toString(${value}))), 1, 16)`,
    lastFour: value =>
      lastFourOf(`toString(${value})`, {
        length: `lengthUTF8(toString(${value}))`,
        end: `concat('****', substringUTF8(toString(${value}), -4))`,
      }),
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
    quoteText: quoteClickhouseText,
    booleans: { true: '1', false: '0' },
    starMustBeFirst: false,
    nullsLastWhen: 'asc',
    hasNullsLast: true,
    ignoresCase: 'lower',
    moment: (day, type) =>
      type === 'date' ? `toDate(${quoteText(day)})` : `toDateTime(${quoteText(`${day} 00:00:00`)})`,
    truncate,
    datePart,
    shift,
    elapsed,
    // A division always has a fraction here.
    ratio: (numerator, denominator) => `${numerator} / nullIf(${denominator}, 0)`,
    percentile: null,
    average: argument => `avg(${argument})`,
    nullSafeEquals: (left, right) => `(${left} = ${right} OR (${left} IS NULL AND ${right} IS NULL))`,
  },
  typing: { columns: 'declared', sumsNumericText: false, declaresKeys: false },
  scope: {
    hasStructFields: true,
    hasWholeRows: false,
    hasGroupByAll: true,
    inReadsTables: true,
    hasColumnPatterns: true,
    withIsRecursive: false,
    recursionIsSure: false,
    withSeesOuter: true,
    specialJoins: new Set(),
    functionColumns: () => null,
    searchWord: null,
    mayCallOwn: () => true,
    readsByPart: () => false,
    types: null,
    isImplied: () => false,
  },
  plan: { read: readClickhousePlan, showsLimit: false },
  measuring: {
    asText: (_, name) => `toString(${name})`,
    textLength: text => `lengthUTF8(${text})`,
    countDistinct: value => `uniqExact(${value})`,
    matchesShape: (text, _, pattern) => `match(${text}, ${quoteClickhouseText(pattern)})`,
    // SAMPLE needs a key that most tables lack.
    tableSample: null,
    sampledRows: 30_000,
    joinsNeedIndex: false,
    concurrency: 3,
  },
  repair,
}
