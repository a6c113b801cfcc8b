import type { DatabaseDialect, NameRules, RightsRules } from '../../../sql/sql-dialect.ts'
import {
  bucketWithin,
  callsWithoutBrackets,
  castToText,
  collectingNames,
  countDistinct,
  datePartWithExtract,
  elapsedByEpoch,
  functionNames,
  isNotDistinct,
  lastFourOf,
  quoteName,
  quoteText,
  ratioWithDecimals,
  shiftByInterval,
  standardSizes,
  standardTokens,
  truncateWithDateTrunc,
  zonedMoment,
} from '../standard-sql.ts'
import { functionColumns, postgresFunctions } from './functions.ts'
import { readPostgresPlan } from './plan.ts'
import { repair } from './repair.ts'

/** The longest name in bytes; the parser has cut longer ones already, as a server whose texts are UTF-8 does. */
const maxBytes = 63

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

/**
 * The parser has folded names already. Servers with one byte a letter (LATIN1) also fold letters that are not ASCII,
 * and cut long names elsewhere.
 */
const fold = (name: string): string => (isAscii(name) ? name : name.replace(/[^\x20-\x7e]+/g, lower))

const lower = (letters: string): string => letters.toLowerCase()

const same: NameRules['same'] = (a, b) => {
  if (a === b) return isAscii(a) || Buffer.byteLength(a) < maxBytes - 3 ? 'yes' : 'maybe'
  return fold(a) === fold(b) ? 'maybe' : 'no'
}

/**
 * Types whose values are nothing but themselves (manual, chapter 8), and those of the extensions that business databases
 * have. Left out on purpose: what looks names up (`regclass` and its kind, `oid`), rows (`record`), and what tells of the
 * server.
 */
const plainTypes: ReadonlySet<string> = functionNames(
  `bool int2 int4 int8 float4 float8 numeric decimal money text varchar bpchar char name citext bytea bit varbit uuid
   date time timetz timestamp timestamptz interval json jsonb jsonpath`,
  `int4range int8range numrange daterange tsrange tstzrange int4multirange int8multirange nummultirange datemultirange
   tsmultirange tstzmultirange`,
  `inet cidr macaddr macaddr8 point line lseg box path polygon circle tsvector tsquery`,
  // hstore, ltree, PostGIS, pgvector
  `hstore ltree lquery geometry geography box2d box3d vector halfvec sparsevec`,
)

/** The lowest whole numbers of a type. */
const lowest: Readonly<Record<string, string>> = {
  smallint: '-32768',
  integer: '-2147483648',
  bigint: '-9223372036854775808',
}

/** In the type of the column: whole numbers stay whole, and decimals have as many digits as before. */
const bucket: RightsRules['bucket'] = (value, width, type) => {
  const plain = `pg_catalog.floor((${value})::numeric / ${width}) * ${width}`
  if (type === 'real' || type === 'double precision') return `(${plain})::${type}`
  if (!Number.isSafeInteger(width)) return plain
  const [, digits] = /^numeric\(\d+,\s*(\d+)\)$/.exec(type) ?? []
  if (digits !== undefined) return `pg_catalog.round(${plain}, ${digits})`
  const least = lowest[type]
  if (least === undefined) return plain
  // A quotient of large numbers would be rounded.
  const rest = `pg_catalog.mod(pg_catalog.mod((${value})::numeric, ${width}) + ${width}, ${width})`
  return `(${bucketWithin(value, width, { lowest: least, lowerEnd: `(${value})::numeric - ${rest}` })})::${type}`
}

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is PostgreSQL.
- Names without quotes are folded to lower case. Put a name in double quotes when it holds capitals, spaces or is a keyword.
- Strings stand in single quotes and compare with case; ILIKE compares without.
- Dates: DATE '2026-01-31'; date_trunc('month', d), EXTRACT(year FROM d), to_char(d, 'YYYY-MM'); d + INTERVAL '1 month'.
- A whole number divided by a whole number is cut to a whole number: write 1.0 * a / b. ROUND(x, 2) needs a numeric: x::numeric.
- Every selected column that is not aggregated stands in GROUP BY. COUNT(*) FILTER (WHERE ...) counts a part.
- Descending order puts NULLs first; add NULLS LAST where they would win. The first few rows: ORDER BY ... LIMIT n.`

/** PostgreSQL. Tokens follow section 4.1 of its manual. */
export const postgres: DatabaseDialect = {
  name: 'postgres',
  label: 'Postgres',
  promptNotes,
  parser: 'libpg-query',
  polyglotName: 'postgresql',
  lexical: {
    ...standardTokens,
    stringPrefixes: ['e', 'b', 'x', 'n', 'u&'],
    dollarQuotes: true,
    nestedComments: true,
    parameterSigns: '$',
  },
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'name',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  guard: {
    functions: postgresFunctions,
    isPlainSchema: schema => schema === 'pg_catalog',
    // A power of NUMERIC has up to 147,455 digits, but those of a business have few.
    sizes: {
      ...standardSizes,
      replacesEveryMatch: false,
      longestPower: 60_000,
      collecting: collectingNames(
        'jsonb_object_agg json_agg_strict jsonb_agg_strict json_object_agg_strict jsonb_object_agg_strict',
        'json_object_agg_unique range_agg',
      ),
    },
    systemTables: { schemas: /^(?:pg_\w*|information_schema)$/, names: /^pg_/ },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: true,
    tokenRefusal: () => null,
  },
  address: {
    kind: 'server',
    scheme: 'postgres',
    aliases: ['postgresql'],
    defaultPort: 5432,
    socketParameter: 'host',
    needsDatabase: false,
  },
  openConnector: async ({ location, name }, { timeZone, concurrency }) => {
    const { makePostgresConnector } = await import('./connector.ts')
    return makePostgresConnector({
      url: location,
      place: name,
      ...(timeZone !== undefined && { timeZone }),
      ...(concurrency !== undefined && { connections: concurrency }),
    })
  },
  readOnlyRole: ({ role, password, database, schemas }) => [
    `create role ${role} login password '${password}';`,
    `alter role ${role} set default_transaction_read_only = on;`,
    ...(database === '' ? [] : [`grant connect on database ${quoteName(database)} to ${role};`]),
    ...schemas.flatMap(name => {
      const schema = quoteName(name)
      return [
        // Before PostgreSQL 15 everybody can create tables in public.
        ...(name === 'public' ? ['revoke create on schema "public" from public;'] : []),
        `grant usage on schema ${schema} to ${role};`,
        `grant select on all tables in schema ${schema} to ${role};`,
        `alter default privileges in schema ${schema} grant select on tables to ${role};`,
      ]
    }),
    '-- "alter default" covers tables that the person who runs it creates later. Anyone else who creates tables has to run it too.',
  ],
  hasSessions: true,
  rights: {
    fence: 'OFFSET 0',
    hash: (value, { inner, outer }) => {
      const hashed = (key: string, bytes: string): string =>
        `pg_catalog.sha256(pg_catalog.decode('${key}', 'hex') || ${bytes})`
      const bytes = `pg_catalog.convert_to((${value})::text, 'UTF8')`
      return `pg_catalog.left(pg_catalog.encode(${hashed(outer, hashed(inner, bytes))}, 'hex'), 16)`
    },
    lastFour: value =>
      lastFourOf(`(${value})::text`, {
        length: `pg_catalog.length((${value})::text)`,
        end: `'****' || pg_catalog.right((${value})::text, 4)`,
      }),
    bucket,
  },
  names: {
    // Bare names fold to lower case, so capitals need quotes.
    bare: /^[a-z_][a-z0-9_]*$/,
    quote: quoteName,
    fold,
    same,
    defaultSchema: 'public',
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
    ratio: ratioWithDecimals,
    percentile: (fraction, argument) => `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${argument})`,
    average: argument => `AVG(${argument})`,
    nullSafeEquals: isNotDistinct,
  },
  typing: { columns: 'declared', sumsNumericText: false, declaresKeys: true },
  scope: {
    hasStructFields: false,
    hasWholeRows: true,
    hasGroupByAll: false,
    inReadsTables: false,
    hasColumnPatterns: false,
    withIsRecursive: false,
    recursionIsSure: true,
    withSeesOuter: true,
    specialJoins: new Set(),
    functionColumns: name => functionColumns.get(name) ?? null,
    searchWord: null,
    mayCallOwn: ({ schema }) => schema !== 'pg_catalog',
    readsByPart: () => false,
    types: plainTypes,
    isImplied: () => false,
  },
  plan: { read: readPostgresPlan, showsLimit: true },
  measuring: {
    asText: castToText,
    textLength: text => `length(${text})`,
    countDistinct,
    matchesShape: (text, _, pattern) => `${text} ~ '${pattern}'`,
    // The fixed seed reads the same pages each time.
    tableSample: percent => `TABLESAMPLE SYSTEM (${percent}) REPEATABLE (1)`,
    sampledRows: 100_000,
    findsValuesBy: 'join',
    concurrency: 3,
  },
  repair,
}
