import type { NameRules, RenderingRules } from '../../../sql/sql-dialect.ts'
import {
  asMoment,
  callsWithoutBrackets,
  foldAscii,
  localTime,
  quoteEscaped,
  quoteName,
  secondsIn,
  truncateWithDateTrunc,
  zonedMoment,
} from '../standard-sql.ts'
import { warehouseDialect } from '../warehouse-dialect.ts'
import { redshiftFunctions } from './functions.ts'
import { readRedshiftPlan } from './plan.ts'
import { repair } from './repair.ts'

/** What a model needs to know to write SQL for this database. */
const promptNotes = `The database is Amazon Redshift.
- Names compare without case. Put a name in double quotes when it holds spaces or is a keyword.
- Strings stand in single quotes and compare with case; for any case, compare LOWER(x). A backslash in a string is written twice.
- Dates: DATE '2026-01-31'; DATE_TRUNC('month', d), EXTRACT(year FROM d), TO_CHAR(d, 'YYYY-MM'), DATEADD(month, 1, d), DATEDIFF(day, a, b), GETDATE().
- A whole number divided by a whole number is cut to a whole number, and so is AVG of whole numbers: write CAST(a AS double precision).
- CAST(x AS decimal) has no fraction and CAST(x AS varchar) has 256 bytes: name precision and length.
- There is no FILTER (WHERE ...), DISTINCT ON, LATERAL, IS DISTINCT FROM, FETCH FIRST, string_agg, array_agg or generate_series: write SUM(CASE WHEN ... THEN 1 ELSE 0 END), ROW_NUMBER() and LISTAGG(x, ', ') WITHIN GROUP (ORDER BY y).
- Every selected column that is not aggregated stands in GROUP BY.
- Descending order puts NULLs first; add NULLS LAST where they would win. The first few rows: ORDER BY ... LIMIT n.`

/** A setting of the session (`enable_case_sensitive_identifier`) keeps the case of quoted names. */
const same: NameRules['same'] = (a, b) => (a === b ? 'yes' : foldAscii(a) === foldAscii(b) ? 'maybe' : 'no')

/** Text of any length: without one it is cut after 256 bytes. */
const asVarchar = (value: string): string => `CAST(${value} AS varchar(65535))`

const datePart: RenderingRules['datePart'] = (part, argument, type, timeZone) => {
  const local = localTime(argument, type, timeZone)
  if (part === 'hour') return `EXTRACT(hour FROM ${local})`
  if (part === 'month-of-year') return `EXTRACT(month FROM ${local})`
  // Days count from Sunday, which is 0.
  return `MOD(CAST(EXTRACT(dow FROM ${local}) AS integer) + 6, 7) + 1`
}

const elapsed: RenderingRules['elapsed'] = (unit, from, until, type) => {
  if (type === 'date' && unit === 'day') return `DATEDIFF(day, ${from}, ${until})`
  return `DATEDIFF(millisecond, ${asMoment(from, type)}, ${asMoment(until, type)}) / ${secondsIn[unit] * 1000}.0`
}

/** Amazon Redshift, clusters and serverless. */
export const redshift = warehouseDialect({
  name: 'redshift',
  label: 'Redshift',
  promptNotes,
  lexical: {
    backslashEscapes: true,
    dollarQuotes: true,
    nestedComments: true,
    parameterSigns: '$',
  },
  grammar: { callsWithoutBrackets: new Set([...callsWithoutBrackets, 'sysdate', 'user', 'current_user_id']) },
  guard: {
    functions: redshiftFunctions,
    isPlainSchema: schema => schema === 'pg_catalog',
    sizes: { format: 'none' },
    systemTables: {
      schemas: /^(?:pg_\w*|information_schema|sys|catalog_history)$/,
      names: /^(?:pg_|stl_|stv_|svl_|svv_|svcs_|sys_|padb_)/,
    },
    // To polyglot they are one long string; the server refuses them on one line.
    tokenRefusal: (tokens, at) =>
      tokens[at]?.kind === 'string' && tokens[at + 1]?.kind === 'string'
        ? 'it has two strings side by side'
        : null,
  },
  address: { defaultPort: 5439, needsDatabase: true },
  loadConnector: async () => (await import('./connector.ts')).makeRedshiftConnector,
  readOnlyRole: ({ role, password, schemas }) => [
    `create user ${role} password '${password}';`,
    ...schemas.flatMap(name => {
      const schema = quoteName(name)
      return [
        ...(name === 'public' ? ['revoke create on schema "public" from public;'] : []),
        `grant usage on schema ${schema} to ${role};`,
        `grant select on all tables in schema ${schema} to ${role};`,
        `alter default privileges in schema ${schema} grant select on tables to ${role};`,
      ]
    }),
  ],
  rights: {
    // A subquery with one of these is not merged into the query around it.
    fence: 'OFFSET 0',
    sha256: text => `SHA2(${text}, 256)`,
    maskedEnd: text => `'****' || RIGHT(${text}, 4)`,
    bucket: (value, width) => `FLOOR(CAST(${value} AS double precision) / ${width}) * ${width}`,
  },
  names: {
    bare: /^[a-z_][a-z0-9_]*$/,
    same,
    defaultSchema: 'public',
    hasCatalogs: false,
  },
  rendering: {
    // Redshift comes from a Postgres in which a backslash always escapes.
    quoteText: quoteEscaped,
    nullsLastWhen: 'asc',
    moment: zonedMoment,
    truncate: truncateWithDateTrunc,
    datePart,
    shift: (day, count, unit) => `CAST(DATEADD(${unit}, ${count}, ${day}) AS date)`,
    elapsed,
    percentile: (fraction, argument) => `PERCENTILE_CONT(${fraction}) WITHIN GROUP (ORDER BY ${argument})`,
    nullSafeEquals: (left, right) => `(${left} = ${right} OR (${left} IS NULL AND ${right} IS NULL))`,
  },
  scope: {
    hasWholeRows: true,
    hasGroupByAll: false,
    hasColumnPatterns: false,
    mayCallOwn: ({ schema }) => schema !== 'pg_catalog',
  },
  plan: { read: readRedshiftPlan, showsLimit: false },
  measuring: {
    asText: (column, name) => {
      if (column.kind === 'text' && /^(?:character varying|varchar)/i.test(column.type)) return name
      if (column.kind === 'json') return `JSON_SERIALIZE(${name})`
      if (column.kind === 'blob') return `FROM_VARBYTE(${name}, 'hex')`
      // A boolean cannot be cast to a text.
      return column.kind === 'boolean'
        ? `CASE WHEN ${name} THEN 'true' WHEN NOT ${name} THEN 'false' END`
        : asVarchar(name)
    },
    textLength: text => `LEN(${text})`,
    matchesShape: (text, _, pattern) => `${text} ~ ${quoteEscaped(pattern)}`,
  },
  repair,
})
