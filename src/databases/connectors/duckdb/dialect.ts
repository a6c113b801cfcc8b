import type { DatabaseDialect, RightsRules } from '../../../sql/sql-dialect.ts'
import {
  bucketWithin,
  callsWithoutBrackets,
  castToText,
  collectingNames,
  countDistinct,
  datePartWithExtract,
  elapsedByEpoch,
  foldAscii,
  isNotDistinct,
  lastFourOf,
  nothing,
  quoteName,
  quoteText,
  refuseSystemNames,
  sameWhenFolded,
  shiftByInterval,
  standardSizes,
  truncateWithDateTrunc,
  zonedMoment,
} from '../standard-sql.ts'
import { duckdbFunctions, functionColumns, isImpliedFunction, labelFunctions } from './functions.ts'
import { lexical } from './lexical.ts'
import { readDuckdbPlan } from './plan.ts'
import { repair } from './repair.ts'

/** The lowest whole numbers of a type. */
const lowest: Readonly<Record<string, string>> = {
  TINYINT: '-128',
  SMALLINT: '-32768',
  INTEGER: '-2147483648',
  BIGINT: '-9223372036854775808',
  ...{ UTINYINT: '0', USMALLINT: '0', UINTEGER: '0', UBIGINT: '0' },
}

/** In the type of the column. A quotient would be a DOUBLE, which rounds large numbers. */
const bucket: RightsRules['bucket'] = (value, width, type) => {
  const plain = `floor(${value} / ${width}) * ${width}`
  if (type === 'FLOAT') return `CAST(${plain} AS FLOAT)`
  if (!Number.isSafeInteger(width)) return plain
  const [, precision = 0, scale = 0] = (/^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []).map(Number)
  const nines = (count: number): string => '9'.repeat(count) || '0'
  const least = precision > 0 ? `-${nines(precision - scale)}.${nines(scale)}` : lowest[type]
  if (least === undefined) return plain
  const large = `CAST(${value} AS ${precision > 0 ? `DECIMAL(38,${scale})` : 'HUGEINT'})`
  const lowerEnd = `${large} - (${large} % ${width} + ${width}) % ${width}`
  return `CAST(${bucketWithin(value, width, { lowest: least, lowerEnd })} AS ${type})`
}

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is DuckDB.
- Names compare without case. Put a name in double quotes when it holds spaces or is a keyword.
- Strings stand in single quotes and compare with case; ILIKE compares without.
- Dates: DATE '2026-01-31'; date_trunc('month', d), EXTRACT(year FROM d), strftime(d, '%Y-%m'); d + INTERVAL 1 MONTH.
- / divides with decimals, // cuts to a whole number.
- Every selected column that is not aggregated stands in GROUP BY. COUNT(*) FILTER (WHERE ...) counts a part.
- NULLs come last in either order. The first few rows: ORDER BY ... LIMIT n.`

const specialJoins: ReadonlySet<string> = new Set(
  'semi anti positional asof asofleft asofright asoffull'.split(' '),
)

/** DuckDB. Tokens follow "Literals" and "Keywords and identifiers" in its documentation. */
export const duckdb: DatabaseDialect = {
  name: 'duckdb',
  label: 'DuckDB',
  promptNotes,
  parser: 'polyglot',
  polyglotName: 'duckdb',
  lexical,
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'name',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
    hasDoubleSlash: true,
  },
  guard: {
    functions: duckdbFunctions,
    // `'a'.upper()` chains calls, so what comes before the point is not a schema.
    isPlainSchema: () => true,
    sizes: {
      ...standardSizes,
      format: 'braces',
      replacesEveryMatch: false,
      paddedTypes: nothing,
      collecting: collectingNames('list histogram json_group_array json_group_object json_group_structure'),
      collectingSome: {
        ...{ min: 1, max: 1 },
        ...{ arg_min: 2, arg_max: 2, argmin: 2, argmax: 2, min_by: 2, max_by: 2 },
        ...{ arg_min_nulls_last: 2, arg_max_nulls_last: 2 },
      },
    },
    systemTables: {
      schemas: /^(?:pg_catalog|information_schema|system|temp)$/,
      names: /^(?:duckdb_|sqlite_|pragma_|pg_)/,
    },
    readsFilesAsTables: true,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: true,
    tokenRefusal: refuseSystemNames,
  },
  address: {
    kind: 'file',
    scheme: 'duckdb',
    needsPath:
      'duckdb: needs the path of a DuckDB database, of a CSV, Parquet or JSON file, or of a folder of such files, for instance duckdb:exports.',
    isDefault: false,
    claims: {
      folders: true,
      endings: ['.duckdb', '.ddb', '.csv', '.tsv', '.parquet', '.json', '.jsonl', '.ndjson'],
      signature: null,
    },
  },
  openConnector: async ({ location }, { timeZone, concurrency }) => {
    const { makeDuckdbConnector } = await import('./connector.ts')
    return makeDuckdbConnector({
      path: location,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { processes: concurrency }),
    })
  },
  readOnlyRole: null,
  hasSessions: false,
  rights: {
    fence: 'LIMIT 9223372036854775807',
    hash: (value, { inner, outer }) => {
      const hashed = (key: string, bytes: string): string => `sha256(unhex('${key}') || ${bytes})`
      return `left(${hashed(outer, `unhex(${hashed(inner, `encode((${value})::varchar)`)})`)}, 16)`
    },
    lastFour: value =>
      lastFourOf(`(${value})::varchar`, {
        length: `length((${value})::varchar)`,
        end: `'****' || right((${value})::varchar, 4)`,
      }),
    bucket,
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
    booleans: { true: 'TRUE', false: 'FALSE' },
    starMustBeFirst: false,
    nullsLastWhen: 'asc',
    hasNullsLast: true,
    ignoresCase: 'ilike',
    moment: zonedMoment,
    truncate: truncateWithDateTrunc,
    datePart: datePartWithExtract,
    shift: shiftByInterval,
    elapsed: elapsedByEpoch,
    // A division always has a fraction here.
    ratio: (numerator, denominator) => `${numerator} / NULLIF(${denominator}, 0)`,
    // Of decimals it gives decimals, without the digits that a value in between needs.
    percentile: (fraction, argument) => `quantile_cont(CAST(${argument} AS double), ${fraction})`,
    average: argument => `AVG(${argument})`,
    nullSafeEquals: isNotDistinct,
  },
  typing: { columns: 'declared', sumsNumericText: false, declaresKeys: true },
  scope: {
    hasStructFields: true,
    hasWholeRows: true,
    hasGroupByAll: true,
    inReadsTables: false,
    hasColumnPatterns: true,
    withIsRecursive: false,
    recursionIsSure: false,
    withSeesOuter: true,
    specialJoins,
    functionColumns: name => functionColumns.get(name.toLowerCase()) ?? null,
    searchWord: null,
    mayCallOwn: () => true,
    readsByPart: () => false,
    types: null,
    labels: { madeFromData: true, calls: labelFunctions },
    isImplied: isImpliedFunction,
  },
  plan: { read: readDuckdbPlan, showsLimit: false },
  measuring: {
    asText: castToText,
    textLength: text => `length(${text})`,
    countDistinct,
    matchesShape: (text, _, pattern) => `${text} ~ '${pattern}'`,
    tableSample: null,
    sampledRows: 100_000,
    findsValuesBy: 'join',
    // Another process for a file costs more than it saves.
    concurrency: 1,
  },
  repair,
}
