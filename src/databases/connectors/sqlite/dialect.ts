import type { DatabaseDialect, MeasuringRules, RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  collectingNames,
  countDistinct,
  datesWithoutBrackets,
  foldAscii,
  lastFourOf,
  nothing,
  quoteName,
  quoteText,
  ratioWithDecimals,
  refuseSystemNames,
  sameWhenFolded,
  secondsIn,
  standardSizes,
} from '../standard-sql.ts'
import { functionColumns, sqliteFunctions } from './functions.ts'
import { lexical } from './lexical.ts'
import { readSqlitePlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is SQLite.
- Names compare without case. Put a name in double quotes when it holds spaces or is a keyword; a text is never in double quotes.
- Strings stand in single quotes. = compares with case, LIKE without (for ASCII letters).
- Dates are text, mostly YYYY-MM-DD, and compare as text. strftime('%Y-%m', d), date(d, '+1 month'); there is no date_trunc, EXTRACT or INTERVAL.
- A whole number divided by a whole number is cut to a whole number: write 1.0 * a / b, or CAST(a AS REAL) / b.
- There is no ILIKE and no ::type. RIGHT JOIN and FULL JOIN work. GROUP_CONCAT joins texts.
- Ascending order puts NULLs first. The first few rows: ORDER BY ... LIMIT n.`

/** Dates are texts. */
const truncate: RenderingRules['truncate'] = (unit, argument) => {
  switch (unit) {
    case 'day':
      return `date(${argument})`
    case 'week':
      return `date(${argument}, '-6 days', 'weekday 1')`
    case 'month':
      return `date(${argument}, 'start of month')`
    case 'quarter':
      return `date(${argument}, 'start of month', '-' || ((CAST(strftime('%m', ${argument}) AS INTEGER) - 1) % 3) || ' months')`
    case 'year':
      return `date(${argument}, 'start of year')`
    default: {
      const never: never = unit
      return never
    }
  }
}

/** Dates are texts. `%w` counts weekdays from Sunday, which is 0. */
const datePart: RenderingRules['datePart'] = (part, argument) => {
  switch (part) {
    case 'weekday':
      return `(CAST(strftime('%w', ${argument}) AS INTEGER) + 6) % 7 + 1`
    case 'hour':
      return `CAST(strftime('%H', ${argument}) AS INTEGER)`
    case 'month-of-year':
      return `CAST(strftime('%m', ${argument}) AS INTEGER)`
    default: {
      const never: never = part
      return never
    }
  }
}

const shift: RenderingRules['shift'] = (day, count, unit) => {
  const [number, noun] =
    unit === 'week' ? [count * 7, 'days'] : unit === 'quarter' ? [count * 3, 'months'] : [count, `${unit}s`]
  return `date(${day}, '${number < 0 ? '' : '+'}${number} ${noun}')`
}

/** Julian days of two moments differ by parts of a second less than exactly, so seconds are counted. */
const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  if (type === 'date' && unit === 'day') return `julianday(${until}) - julianday(${from})`
  const seconds = `unixepoch(${until}) - unixepoch(${from})`
  return unit === 'second' ? seconds : `(${seconds}) / ${secondsIn[unit]}.0`
}

/** There are no regular expressions, but date functions give NULL, or another text, for what is not a date. */
const matchesShape: MeasuringRules['matchesShape'] = (text, shape) => {
  switch (shape) {
    case 'date':
      return `date(${text}) = ${text}`
    case 'timestamp':
      return `date(substr(${text}, 1, 10)) = substr(${text}, 1, 10)`
    case 'time':
      return `substr(time(${text}), 1, 5) = substr(${text}, 1, 5)`
    case 'number':
      return `(${text} GLOB '*[0-9]' AND NOT (ltrim(${text}, '+-') GLOB '*[^0-9.]*') AND NOT (${text} GLOB '*.*.*'))`
    default: {
      const never: never = shape
      return never
    }
  }
}

/** SQLite. Tokens follow "SQL keywords" in its documentation and tokenize.c. */
export const sqlite: DatabaseDialect = {
  name: 'sqlite',
  label: 'SQLite',
  promptNotes,
  parser: 'polyglot',
  polyglotName: 'sqlite',
  lexical,
  grammar: {
    callsWithoutBrackets: new Set(datesWithoutBrackets),
    doubleQuotes: 'either',
    foldsCase: { tables: true, columns: true },
    hasGlob: true,
    hasDoubleSlash: false,
  },
  guard: {
    functions: sqliteFunctions,
    isPlainSchema: () => false,
    sizes: {
      ...standardSizes,
      withIsRecursive: true,
      paddedTypes: nothing,
      collecting: collectingNames('json_group_array json_group_object jsonb_group_array jsonb_group_object'),
    },
    systemTables: {
      schemas: nothing,
      names: /^(?:sqlite_|pragma_|dbstat$|fsdir$|zipfile$|bytecode$|tables_used$|completion$|csv$)/,
    },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: false,
    tokenRefusal: refuseSystemNames,
  },
  address: {
    kind: 'file',
    scheme: 'sqlite',
    needsPath: 'sqlite: needs the path of a file, for instance sqlite:shop.sqlite.',
    isDefault: true,
    claims: { folders: false, endings: [], signature: 'SQLite format 3' },
  },
  openConnector: async ({ location }, { timeZone, concurrency }) => {
    const { makeSqliteConnector } = await import('./connector.ts')
    return makeSqliteConnector({
      file: location,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { processes: concurrency }),
    })
  },
  readOnlyRole: null,
  hasSessions: false,
  rights: {
    fence: 'LIMIT -1 OFFSET 0',
    hash: (value, { inner, outer }) => `querent_hash(${value}, '${inner}', '${outer}')`,
    lastFour: value =>
      lastFourOf(`cast(${value} as text)`, {
        length: `length(cast(${value} as text))`,
        end: `'****' || substr(cast(${value} as text), -4)`,
      }),
    // A cast cuts towards zero.
    bucket: (value, width) =>
      `(cast(${value} * 1.0 / ${width} as integer) - (${value} * 1.0 / ${width} < cast(${value} * 1.0 / ${width} as integer))) * ${width}`,
  },
  names: {
    bare: /^[A-Za-z_][A-Za-z0-9_]*$/,
    quote: quoteName,
    fold: foldAscii,
    same: sameWhenFolded(foldAscii),
    defaultSchema: 'main',
    hasCatalogs: false,
  },
  rendering: {
    quoteText,
    booleans: { true: '1', false: '0' },
    starMustBeFirst: false,
    nullsLastWhen: 'desc',
    hasNullsLast: true,
    ignoresCase: 'like',
    moment: day => quoteText(day),
    truncate,
    datePart,
    shift,
    elapsed,
    ratio: ratioWithDecimals,
    percentile: null,
    average: argument => `AVG(${argument})`,
    nullSafeEquals: (left, right) => `${left} IS ${right}`,
  },
  typing: { columns: 'per-value', sumsNumericText: false, declaresKeys: true },
  scope: {
    hasStructFields: false,
    hasWholeRows: false,
    hasGroupByAll: false,
    inReadsTables: true,
    hasColumnPatterns: false,
    withIsRecursive: true,
    recursionIsSure: true,
    withSeesOuter: true,
    specialJoins: new Set(),
    functionColumns: name => functionColumns.get(name.toLowerCase()) ?? null,
    searchWord: 'match',
    mayCallOwn: () => false,
    readsByPart: () => false,
    types: null,
    isImplied: () => false,
  },
  plan: { read: readSqlitePlan, showsLimit: false },
  measuring: {
    asText: (_, name) => name,
    textLength: text => `length(${text})`,
    countDistinct,
    matchesShape,
    tableSample: null,
    sampledRows: 100_000,
    findsValuesBy: 'join',
    // Another process for a file costs more than it saves.
    concurrency: 1,
  },
  repair,
}
