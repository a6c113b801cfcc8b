import type { SqlDialect } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  commonFunctions,
  functionNames,
  standardSizes,
  standardTokens,
} from '../standard-sql.ts'

/**
 * Standard SQL, and what BigQuery and SQL Server have for dates, choice and text. Short
 * on purpose: a connector brings a list of its own.
 */
const functions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `approx_count_distinct approx_distinct array_agg count_if countif listagg median string_agg sum_if sumif`,
    `convert if iff ifnull isnull nvl safe_cast safe_divide try_cast`,
    `charindex contains datalength endswith ends_with initcap instr len split split_part startswith starts_with
     strpos`,
    `date date_add date_diff date_format date_part date_sub date_trunc dateadd datediff datename datepart datetime
     datetime_trunc day dayofweek dayofyear eomonth format_date getdate hour last_day minute month now parse_date
     quarter second timestamp timestamp_trunc to_char to_date to_timestamp toyear tomonth tostartofmonth week year
     unnest`,
  ),
])

/**
 * What all of them share. Their tokens are the common denominator: text that they cut in another way disagrees with
 * the tokens of the parser, and is refused.
 */
const shared = {
  parser: 'polyglot',
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'name',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  guard: {
    functions,
    isPlainSchema: () => false,
    sizes: standardSizes,
    systemTables: {
      schemas: /^(?:information_schema|sys|system|pg_catalog|master|msdb)$/,
      names: /^(?:sys\w*|information_schema|pg_\w+|__\w+__)$/,
    },
    readsFilesAsTables: false,
    limitClause: 'LIMIT',
    subqueryKeepsOrder: false,
    tokenRefusal: () => null,
  },
} as const satisfies Omit<SqlDialect, 'name' | 'polyglotName' | 'lexical'>

const bigquery: SqlDialect = {
  ...shared,
  name: 'bigquery',
  polyglotName: 'bigquery',
  lexical: {
    ...standardTokens,
    nameQuotes: { '`': '`' },
    stringQuotes: ["'", '"'],
    backslashEscapes: true,
    stringPrefixes: ['r', 'b', 'rb', 'br'],
    hashComments: true,
    parameterSigns: '?@',
  },
  grammar: { ...shared.grammar, foldsCase: { tables: false, columns: true } },
}

/** T-SQL needs no semicolon between statements, so a reserved word can begin the next one. */
const tsqlStatements = new Set(
  `insert update delete merge exec execute drop create alter truncate grant revoke deny use waitfor set declare
   backup restore kill shutdown dbcc openrowset openquery opendatasource bulk print raiserror goto begin commit
   rollback`.split(/\s+/),
)

const tsql: SqlDialect = {
  ...shared,
  name: 'tsql',
  polyglotName: 'tsql',
  lexical: {
    ...standardTokens,
    nameQuotes: { '"': '"', '[': ']' },
    stringPrefixes: ['n'],
    nestedComments: true,
    parameterSigns: '?@',
  },
  guard: {
    ...shared.guard,
    limitClause: 'TOP',
    tokenRefusal: (tokens, at) => {
      const token = tokens[at]
      return token?.kind === 'word' && tokens[at - 1]?.text !== '.' && tsqlStatements.has(token.value)
        ? `it has ${token.value.toUpperCase()} in it, which begins another statement`
        : null
    },
  },
}

/** Dialects that the guard checks although no connector runs them. */
export const parseOnlyDialects: readonly SqlDialect[] = [bigquery, tsql]
