import type { ParseDialect } from '../core/dialect.ts'
import { findLexerMismatch } from './lexical-disagreement.ts'
import { rewriteNotGlob } from './lift-not-glob.ts'
import { rewriteNotLike } from './lift-not-like.ts'
import { parsePolyglot, tokenizePolyglot } from './polyglot-parser.ts'
import { parsePostgres } from './postgres-parser.ts'
import { type SqlTokens, sqlTokens } from './sql-tokens.ts'
import type { SqlTree } from './sql-tree.ts'
import { maxStatementDepth, statementDepth } from './statement-depth.ts'

/** Longest text that is parsed: a 5,000-column SELECT already takes a third of a second. */
export const maxSqlLength = 20_000

/** `position` is in UTF-16 units from 0; null when the parser does not say where. */
export type ParsedSql =
  | { readonly ok: true; readonly tree: SqlTree }
  | { readonly ok: false; readonly message: string; readonly position: number | null }

/**
 * SQL text as a tree: libpg-query for Postgres, polyglot for the rest. Never throws. Text that is too long or
 * nests too deep is not parsed at all, nor is text that could be cut into tokens in two ways.
 */
export const parseSql = (sql: string, dialect: ParseDialect): ParsedSql => {
  if (sql.length > maxSqlLength)
    return fail(
      `it is longer than ${maxSqlLength.toLocaleString('en')} characters (${sql.length})`,
      maxSqlLength,
    )
  // libpg-query takes a C string and would silently stop at NUL.
  const unseen = sql.search(/\0/)
  if (unseen >= 0 || !sql.isWellFormed())
    return fail('it has a character that is no text', Math.max(unseen, 0))
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return fail(`it has ${cut.message}`, cut.position)
  if (statementDepth(cut.tokens) > maxStatementDepth) return fail('it nests too deep', null)
  return dialect === 'postgres' ? parseAsPostgres(sql, cut) : parseAsPolyglot(sql, dialect, cut)
}

const fail = (message: string, position: number | null): ParsedSql => ({ ok: false, message, position })

type TokenizedSql = Extract<SqlTokens, { ok: true }>

const parseAsPostgres = (sql: string, cut: TokenizedSql): ParsedSql => {
  const parsed = parsePostgres(sql)
  if (!parsed.ok) return fail(parsed.message, utf16Offset(sql, parsed.position))
  const { tokens, comments } = cut
  return {
    ok: true,
    tree: {
      parser: 'libpg-query',
      dialect: 'postgres',
      sql,
      read: sql,
      statements: parsed.statements,
      tokens,
      comments,
    },
  }
}

const parseAsPolyglot = (sql: string, dialect: ParseDialect, cut: TokenizedSql): ParsedSql => {
  // polyglot takes more for a comment than servers do, so comments are taken out by our own rules first.
  const blanked = cut.comments.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    sql,
  )
  const [first] = cut.tokens
  // polyglot takes a bare expression for a statement, so that a misspelt SELECT would become a column.
  if (first !== undefined && !statementWords.has(first.value))
    return fail(`syntax error at or near "${first.text}"`, first.start)
  const theirs = tokenizePolyglot(blanked, dialect)
  if (!theirs.ok) return fail(theirs.message, utf16Offset(sql, theirs.position))
  const doubt = findLexerMismatch(blanked, cut.tokens, theirs.tokens)
  if (doubt !== null) return fail(`it can be read in two ways at "${sql.slice(doubt, doubt + 20)}"`, doubt)
  const lifted = rewriteNotLike(blanked, cut.tokens)
  const read = dialect === 'sqlite' ? rewriteNotGlob(lifted, cut.tokens) : lifted
  const parsed = parsePolyglot(read, dialect)
  if (!parsed.ok) return fail(parsed.message, utf16Offset(sql, parsed.position))
  const { tokens, comments } = cut
  return {
    ok: true,
    tree: { parser: 'polyglot', dialect, sql, read, statements: parsed.statements, tokens, comments },
  }
}

/** The parsers count code points; everybody else counts UTF-16 units. */
const utf16Offset = (sql: string, codePoints: number | null): number | null =>
  codePoints === null ? null : [...sql].slice(0, codePoints).join('').length

/** What a statement may begin with, allowed later on or not. */
const statementWords: ReadonlySet<string> = new Set(
  `( ; select with values from table insert update delete merge replace upsert create alter drop truncate rename comment
   attach detach pragma explain describe desc show summarize pivot unpivot set reset use copy put get remove list call
   exec execute prepare deallocate declare begin start commit rollback savepoint release end vacuum analyze reindex
   optimize grant revoke deny load install export import checkpoint cache refresh lock unlock kill do handler flush
   purge waitfor backup restore dbcc bulk print shutdown unload undrop system`.split(/\s+/),
)
