import type { ParseDialect } from '../../domain/sql.ts'
import { dialectNamed } from '../../sql/dialects.ts'
import type { ParsedSql } from '../../sql/parse/parse-sql.ts'
import { openQuote, type SqlToken, sqlTokens } from '../../sql/parse/sql-tokens.ts'
import type { SqlTree } from '../../sql/parse/sql-tree.ts'
import { describeNode } from './tree-refusal.ts'

/**
 * Why a statement is refused by its tokens alone; null if it is not. The tree shows most of it too, but polyglot's
 * grammar accepts more than any server's, and these words mean the same everywhere.
 */
export const tokenRefusal = ({
  sql,
  tokens,
  comments,
  dialect,
}: Pick<SqlTree, 'sql' | 'tokens' | 'comments' | 'dialect'>): string | null => {
  if (comments.some(({ text }) => /^\/\*(?:M?!|\+)/i.test(text)))
    return 'it has a comment that a server may execute (/*! ... */ or /*+ ... */)'
  const { parser, guard, lexical } = dialectNamed(dialect)
  if (parser === 'libpg-query') return null
  // Some servers nest comments. For the others, what follows the first */ is code.
  if (comments.some(({ text }) => text.lastIndexOf('/*') > 0)) return 'it has a comment inside a comment'
  if (lexical.backslashMayBePlain && tokens.some(hasDoubtfulBackslash)) {
    // A server that takes a backslash for a plain character runs nothing if a quote is not closed for it.
    const plain = sqlTokens(sql, dialect, { ...lexical, backslashEscapes: false })
    if (plain.ok || plain.message !== openQuote)
      return 'it has a backslash before a quote, which servers read in two ways: write the quote twice instead'
  }
  for (const [at, token] of tokens.entries()) {
    const refusal = refusalAt(tokens, at, token) ?? guard.tokenRefusal(tokens, at)
    if (refusal !== null) return refusal
  }
  return null
}

/** `\'` ends the string if a server was told that backslashes are no escapes; `\\'` ends it in both cases. */
const hasDoubtfulBackslash = ({ kind, text }: SqlToken): boolean =>
  kind === 'string' && /(?<!\\)(?:\\\\)*\\['"`]/.test(text.slice(0, -1))

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

/**
 * Why a text that could not be parsed is refused. That it is no query, or which word no query may have, says more than
 * the parser's message.
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
  return (
    tokenRefusal({ ...cut, sql, dialect }) ?? `it could not be read as ${dialect} SQL: ${message}${where}`
  )
}

const otherStatements = new Set(
  `insert update delete merge replace upsert create alter drop truncate attach detach pragma explain describe show set
   use copy call exec execute prepare declare begin commit rollback vacuum analyze reindex grant revoke load install
   export import checkpoint lock unlock kill do handler put`.split(/\s+/),
)
