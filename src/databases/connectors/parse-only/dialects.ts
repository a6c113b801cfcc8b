import type { SqlDialect } from '../../../sql/sql-dialect.ts'
import {
  callsWithoutBrackets,
  commonFunctions,
  functionNames,
  standardSizes,
  standardTokens,
} from '../standard-sql.ts'

/** Standard SQL, and what SQL Server has for dates, choice and text. Short on purpose: a connector brings its own. */
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

/** T-SQL needs no semicolon between statements, so a reserved word can begin the next one. */
const tsqlStatements = new Set(
  `insert update delete merge exec execute drop create alter truncate grant revoke deny use waitfor set declare
   backup restore kill shutdown dbcc openrowset openquery opendatasource bulk print raiserror goto begin commit
   rollback`.split(/\s+/),
)

const tsql: SqlDialect = {
  parser: 'polyglot',
  name: 'tsql',
  polyglotName: 'tsql',
  grammar: {
    callsWithoutBrackets,
    doubleQuotes: 'name',
    foldsCase: { tables: true, columns: true },
    hasGlob: false,
    hasDoubleSlash: false,
  },
  lexical: {
    ...standardTokens,
    nameQuotes: { '"': '"', '[': ']' },
    stringPrefixes: ['n'],
    nestedComments: true,
    parameterSigns: '?@',
  },
  guard: {
    functions,
    isPlainSchema: () => false,
    sizes: standardSizes,
    systemTables: {
      schemas: /^(?:information_schema|sys|master|msdb)$/,
      names: /^(?:sys\w*|information_schema)$/,
    },
    readsFilesAsTables: false,
    limitClause: 'TOP',
    subqueryKeepsOrder: false,
    tokenRefusal: (tokens, at) => {
      const token = tokens[at]
      return token?.kind === 'word' && tokens[at - 1]?.text !== '.' && tsqlStatements.has(token.value)
        ? `it has ${token.value.toUpperCase()} in it, which begins another statement`
        : null
    },
  },
}

/** Dialects that the guard checks although no connector runs them. */
export const parseOnlyDialects: readonly SqlDialect[] = [tsql]
