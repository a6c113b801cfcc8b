import type {
  DatabaseDialect,
  GuardRules,
  NameRules,
  RenderingRules,
  ScopeRules,
} from '../../../sql/sql-dialect.ts'
import {
  countDistinct,
  datesWithoutBrackets,
  lastFourOf,
  nothing,
  quoteText,
  secondsIn,
  standardSizes,
  standardTokens,
  zonedMoment,
} from '../standard-sql.ts'
import { builtInEverywhere, longestGroupConcat, mysqlFunctions } from './functions.ts'
import { readMysqlPlan } from './plan.ts'
import { repair } from './repair.ts'

/**
 * How names compare depends on what they name, on `lower_case_table_names`, on the server and its version: by bytes, by
 * case, or by a collation without accents, in which é is e and ß is s (or ss). Nobody can see which from outside. So
 * all names that any of these may equate share one fold, and only what every server agrees on is certain.
 */
const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s]/gu, '')
    // To capitals first: ſ is S, ß is SS.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ıøđłæœþðħŧ]/g, letter => plainLetters[letter] ?? letter)
    // What names may not hold the server replaces, or refuses.
    .replace(/[\u{10000}-\u{10ffff}]/gu, '?')
    .replace(/s+/g, 's')

const plainLetters: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', ħ: 'h', ŧ: 't' },
}

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

const plain = (name: string): string => name.trim().toLowerCase()

/** Columns compare without case everywhere; tables, aliases and queries of WITH on some servers. */
const same: NameRules['same'] = (a, b, what) => {
  if (a === b) return 'yes'
  if (!isAscii(a) || !isAscii(b)) return fold(a) === fold(b) ? 'maybe' : 'no'
  if (what === 'column' && a.toLowerCase() === b.toLowerCase()) return 'yes'
  return plain(a) === plain(b) ? 'maybe' : 'no'
}

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is MySQL.
- Put a name in backticks when it holds spaces or is a keyword; table names may compare with case, column names do not.
- Strings stand in single quotes and mostly compare without case.
- Dates: DATE '2026-01-31'; DATE_FORMAT(d, '%Y-%m'), YEAR(d), d + INTERVAL 1 MONTH; there is no date_trunc.
- / divides with decimals, DIV cuts. GROUP_CONCAT joins texts.
- There is no FULL JOIN, no ILIKE, no ::type and no FILTER: write SUM(CASE WHEN ... THEN 1 ELSE 0 END).
- Ascending order puts NULLs first. The first few rows: ORDER BY ... LIMIT n.`

const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

// Backslashes in plain strings are escapes.
const quoteMysqlText = (text: string): string => quoteText(text).replaceAll('\\', '\\\\')

/** Moments come in the zone of the session, which the connector sets. */
const truncate: RenderingRules['truncate'] = (unit, argument) => {
  switch (unit) {
    case 'day':
      return `DATE(${argument})`
    case 'week':
      return `DATE_SUB(DATE(${argument}), INTERVAL WEEKDAY(${argument}) DAY)`
    case 'month':
      return `CAST(DATE_FORMAT(${argument}, '%Y-%m-01') AS DATE)`
    case 'quarter':
      return `MAKEDATE(YEAR(${argument}), 1) + INTERVAL QUARTER(${argument}) - 1 QUARTER`
    case 'year':
      return `MAKEDATE(YEAR(${argument}), 1)`
    default: {
      const never: never = unit
      return never
    }
  }
}

/** WEEKDAY counts from Monday, which is 0. */
const datePart: RenderingRules['datePart'] = (part, argument) => {
  switch (part) {
    case 'weekday':
      return `WEEKDAY(${argument}) + 1`
    case 'hour':
      return `HOUR(${argument})`
    case 'month-of-year':
      return `MONTH(${argument})`
    default: {
      const never: never = part
      return never
    }
  }
}

const shift: RenderingRules['shift'] = (day, count, unit) =>
  `${day} ${count < 0 ? '-' : '+'} INTERVAL ${Math.abs(count)} ${unit.toUpperCase()}`

const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  if (unit === 'day' && type === 'date') return `DATEDIFF(${until}, ${from})`
  const seconds = `TIMESTAMPDIFF(SECOND, ${from}, ${until})`
  return unit === 'second' ? seconds : `${seconds} / ${secondsIn[unit]}e0`
}

const systemSchema = /^(?:mysql|information_schema|performance_schema|sys)$/i

const tokenRefusal: GuardRules['tokenRefusal'] = (tokens, at) => {
  const token = tokens[at]
  if (token === undefined) return null
  if (token.text === ':=' || token.text === '@') return `it sets or reads a variable (${token.text})`
  const isName = token.kind === 'word' || token.kind === 'quoted'
  return isName && tokens[at + 1]?.text === '.' && systemSchema.test(token.value)
    ? `it reads ${token.value}, a system schema`
    : null
}

/** `t PARTITION (p0)` and `USE INDEX (i)`. */
const readsByPart: ScopeRules['readsByPart'] = (tokens, at) => {
  const [word, next] = [tokens[at]?.value ?? '', tokens[at + 1]?.value ?? '']
  return (
    tokens[at]?.kind === 'word' &&
    ((word === 'partition' && next === '(') ||
      (/^(?:use|force|ignore)$/.test(word) && /^(?:index|key)$/.test(next)))
  )
}

/** MySQL and MariaDB. Tokens follow section 11 of the manual of MySQL 8.4. */
export const mysql: DatabaseDialect = {
  name: 'mysql',
  label: 'MySQL or MariaDB',
  promptNotes,
  parser: 'polyglot',
  polyglotName: 'mysql',
  lexical: {
    ...standardTokens,
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    backslashMayBePlain: true,
    stringPrefixes: ['x', 'b', 'n'],
    hashComments: true,
    dashesNeedSpace: true,
    executableComments: true,
    parameterSigns: '?@',
  },
  grammar: {
    callsWithoutBrackets: new Set([
      ...datesWithoutBrackets,
      ...['localtime', 'localtimestamp', 'current_user', 'utc_date', 'utc_time', 'utc_timestamp'],
    ]),
    doubleQuotes: 'text',
    foldsCase: { tables: false, columns: true },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  guard: {
    functions: mysqlFunctions,
    isPlainSchema: () => false,
    // FORMAT writes a number with separators. The connector sets how long GROUP_CONCAT can be.
    // REPLACE moves the rest of the text for each match, and nothing can stop it meanwhile.
    sizes: {
      ...standardSizes,
      format: 'none',
      longestGroupConcat,
      longestValue: 500_000,
      paddedTypes: /^binary$/,
    },
    systemTables: {
      schemas: /^(?:mysql|information_schema|performance_schema|sys|ndbinfo)$/,
      names: nothing,
    },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: false,
    tokenRefusal,
  },
  address: {
    kind: 'server',
    scheme: 'mysql',
    aliases: ['mariadb'],
    defaultPort: 3306,
    socketParameter: 'socket',
    needsDatabase: true,
  },
  openConnector: async ({ location, name }, { timeZone, concurrency, log }) => {
    const { makeMysqlConnector } = await import('./connector.ts')
    return makeMysqlConnector({
      url: location,
      place: name,
      ...(log && { log }),
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { connections: concurrency }),
    })
  },
  readOnlyRole: ({ role, password, database }) => [
    `create user '${role}'@'%' identified by '${password}';`,
    `grant select, show view on ${quoteName(database)}.* to '${role}'@'%';`,
  ],
  hasSessions: true,
  rights: {
    fence: 'LIMIT 18446744073709551615',
    hash: (value, { inner, outer }) => {
      const hashed = (key: string, bytes: string): string => `sha2(concat(unhex('${key}'), ${bytes}), 256)`
      return `left(${hashed(outer, `unhex(${hashed(inner, `cast(${value} as char)`)})`)}, 16)`
    },
    lastFour: (value, isText) => {
      const text = isText ? value : `cast(${value} as char)`
      return lastFourOf(text, { length: `char_length(${text})`, end: `concat('****', right(${text}, 4))` })
    },
    bucket: (value, width) => `floor(${value} / ${width}) * ${width}`,
  },
  names: {
    bare: /^[A-Za-z_][A-Za-z0-9_]*$/,
    quote: quoteName,
    fold,
    same,
    defaultSchema: '',
    hasCatalogs: false,
  },
  rendering: {
    quoteText: quoteMysqlText,
    booleans: { true: 'TRUE', false: 'FALSE' },
    starMustBeFirst: true,
    nullsLastWhen: 'desc',
    hasNullsLast: false,
    ignoresCase: 'like',
    // TIMESTAMP columns are read in the zone of the session, which the connector sets.
    moment: (day, type, timeZone) => zonedMoment(day, type === 'instant' ? 'local' : type, timeZone),
    truncate,
    datePart,
    shift,
    elapsed,
    // A decimal gets only four more digits by a division; a double keeps all it has.
    ratio: (numerator, denominator) => `1e0 * ${numerator} / NULLIF(${denominator}, 0)`,
    percentile: null,
    // The same goes for a mean of decimals.
    average: argument => `AVG(1e0 * ${/^[\w.`]+$/.test(argument) ? argument : `(${argument})`})`,
    nullSafeEquals: (left, right) => `${left} <=> ${right}`,
  },
  typing: { columns: 'declared', sumsNumericText: true, declaresKeys: true },
  scope: {
    hasStructFields: false,
    hasWholeRows: false,
    hasGroupByAll: false,
    inReadsTables: false,
    hasColumnPatterns: false,
    withIsRecursive: false,
    recursionIsSure: false,
    withSeesOuter: false,
    specialJoins: new Set(['straight']),
    functionColumns: () => null,
    searchWord: null,
    mayCallOwn: ({ schema, name }) => schema !== null || !builtInEverywhere.has(name),
    readsByPart,
    types: null,
    isImplied: () => false,
  },
  plan: { read: readMysqlPlan, showsLimit: false },
  measuring: {
    // By bytes: columns have collations of their own, which do not meet in a UNION, and most of them equate é and e.
    asText: (column, name) =>
      `CAST(${column.kind === 'boolean' ? `${name} + 0` : name} AS CHAR) COLLATE utf8mb4_bin`,
    // `length` counts bytes.
    textLength: text => `char_length(${text})`,
    countDistinct,
    matchesShape: (text, _, pattern) => `${text} REGEXP '${pattern}'`,
    tableSample: null,
    sampledRows: 100_000,
    findsValuesBy: 'join-with-index',
    concurrency: 3,
  },
  repair,
}
