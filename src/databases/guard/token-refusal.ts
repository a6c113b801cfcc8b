import type { ParseDialect } from '../../domain/sql.ts'
import type { ParsedSql } from '../../sql/parse-sql.ts'
import { type SqlToken, sqlTokens } from '../../sql/sql-tokens.ts'
import type { SqlTree } from '../../sql/sql-tree.ts'
import { describeNode } from './tree-refusal.ts'

/**
 * What the tokens alone show, in words; null when nothing. The tree says most of it as well, but polyglot's grammar
 * is kinder than any server's, and these words mean one thing wherever they stand.
 */
export const tokenRefusal = ({
  tokens,
  comments,
  dialect,
}: Pick<SqlTree, 'tokens' | 'comments' | 'dialect'>): string | null => {
  if (comments.some(({ text }) => /^\/\*(?:M?!|\+)/i.test(text)))
    return 'it has a comment that a server may execute (/*! ... */ or /*+ ... */)'
  if (dialect === 'postgres') return null
  // Some servers nest comments and some do not, and what stands after the first */ is code in the latter.
  if (comments.some(({ text }) => text.lastIndexOf('/*') > 0)) return 'it has a comment inside a comment'
  for (const [at, token] of tokens.entries()) {
    const refusal = refusalAt(tokens, at, token) ?? refusalInDialect(tokens, at, token, dialect)
    if (refusal !== null) return refusal
  }
  return null
}

const refusalAt = (tokens: readonly SqlToken[], at: number, token: SqlToken): string | null => {
  if (token.kind === 'parameter')
    return `it names ${token.text}, a placeholder or variable that nothing fills`
  if (token.kind !== 'word' || tokens[at - 1]?.text === '.') return null
  if (token.value === 'into') return 'it writes its rows somewhere (INTO)'
  const next = tokens[at + 1]?.value ?? ''
  if (token.value === 'for' && /^(?:update|share)$/.test(next))
    return `it locks rows (FOR ${next.toUpperCase()})`
  if (token.value === 'lock' && next === 'in') return 'it locks rows (LOCK IN SHARE MODE)'
  return beginsHiddenStatement(tokens, at) ? `it has a ${token.value.toUpperCase()} in brackets` : null
}

/**
 * `(SHOW TABLES)`, `(TABLE t)`: some servers take these for a query in brackets, while polyglot sees a table
 * called SHOW with an alias. As a column such a word is followed by an operator or by the end of the bracket.
 */
const beginsHiddenStatement = (tokens: readonly SqlToken[], at: number): boolean => {
  const next = tokens[at + 1]
  return (
    hiddenStatements.has(tokens[at]?.value ?? '') &&
    beforeStatement.has(tokens[at - 1]?.value ?? '') &&
    next !== undefined &&
    /^(?:word|quoted|string)$/.test(next.kind) &&
    !(next.kind === 'word' && afterColumn.has(next.value))
  )
}

const hiddenStatements = new Set(
  'show describe desc summarize table explain call pragma pivot unpivot execute'.split(' '),
)

const beforeStatement = new Set(['(', 'union', 'all', 'intersect', 'except', 'as'])

const afterColumn = new Set(
  'is in not and or like ilike between asc desc as over collate regexp rlike glob from separator order nulls for'.split(
    ' ',
  ),
)

const refusalInDialect = (
  tokens: readonly SqlToken[],
  at: number,
  token: SqlToken,
  dialect: SqlTree['dialect'],
): string | null => {
  const isName = token.kind === 'word' || token.kind === 'quoted'
  const next = tokens[at + 1]?.text ?? ''
  switch (dialect) {
    case 'sqlite':
    case 'duckdb':
      // `'t' 'x'` is a table and its alias in SQLite, and one long string to polyglot.
      if (token.kind === 'string' && tokens[at + 1]?.kind === 'string')
        return 'it has two strings side by side'
      return isName && /^(?:sqlite_|pragma_|duckdb_)/i.test(token.value)
        ? `it names ${token.value}, which belongs to the system`
        : null
    case 'mysql':
      if (token.text === ':=' || token.text === '@') return `it sets or reads a variable (${token.text})`
      if (token.kind === 'string' && hasDoubtfulBackslash(token.text))
        return 'it has a backslash before a quote, which servers read in two ways: write the quote twice instead'
      return isName && next === '.' && mysqlSystemSchema.test(token.value)
        ? `it reads ${token.value}, a system schema`
        : null
    case 'tsql':
      return token.kind === 'word' && tokens[at - 1]?.text !== '.' && tsqlStatements.has(token.value)
        ? `it has ${token.value.toUpperCase()} in it, which begins another statement`
        : null
    default:
      return null
  }
}

const mysqlSystemSchema = /^(?:mysql|information_schema|performance_schema|sys)$/i

/** `\'` ends the string where NO_BACKSLASH_ESCAPES is set, and does not elsewhere; `\\'` ends it in both. */
const hasDoubtfulBackslash = (text: string): boolean => /(?<!\\)(?:\\\\)*\\['"`]/.test(text.slice(0, -1))

/** T-SQL needs no semicolon between statements, so a reserved word may begin the next one. */
const tsqlStatements = new Set(
  `insert update delete merge exec execute drop create alter truncate grant revoke deny use waitfor set declare
   backup restore kill shutdown dbcc openrowset openquery opendatasource bulk print raiserror goto begin commit
   rollback`.split(/\s+/),
)

/**
 * Why a text that could not be parsed is refused, in words. A statement that is no query, or that has a word in it
 * which no query may have, is told so: that says more than the parser's complaint.
 */
export const unparsedRefusal = (
  sql: string,
  dialect: ParseDialect,
  { message, position }: Extract<ParsedSql, { ok: false }>,
): string => {
  if (/^it /.test(message)) return message
  const cut = sqlTokens(sql, dialect)
  const [first] = cut.ok ? cut.tokens : []
  if (!cut.ok || first === undefined) return `it could not be read as ${dialect} SQL: ${message}`
  if (otherStatements.has(first.value)) return `it is no query but ${describeNode('command', first.text)}`
  const rest = position === null || /\bnear\b/.test(message) ? '' : sql.slice(position, position + 20).trim()
  const where = rest === '' ? '' : ` near "${rest}"`
  return tokenRefusal({ ...cut, dialect }) ?? `it could not be read as ${dialect} SQL: ${message}${where}`
}

const otherStatements = new Set(
  `insert update delete merge replace upsert create alter drop truncate attach detach pragma explain describe show set
   use copy call exec execute prepare declare begin commit rollback vacuum analyze reindex grant revoke load install
   export import checkpoint lock unlock kill do handler put`.split(/\s+/),
)
