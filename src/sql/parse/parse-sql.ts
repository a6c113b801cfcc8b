import type { ParseDialect } from '../../domain/sql.ts'
import { dialectNamed } from '../dialects.ts'
import { parsePolyglot, tokenizePolyglot } from './polyglot-parser.ts'
import {
  divideWithoutFraction,
  findLexerMismatch,
  rewriteDoubleSlash,
  rewriteNotGlob,
  rewriteNotLike,
} from './polyglot-workarounds.ts'
import { parsePostgres } from './postgres-parser.ts'
import { type SqlToken, type SqlTokens, sqlTokens } from './sql-tokens.ts'
import type { SqlTree } from './sql-tree.ts'

/** Longest text that is parsed: a 5,000-column SELECT already takes a third of a second. */
export const maxSqlLength = 20_000

/** Longest text of our own that is parsed: a statement in which tables with many columns are written out. */
export const maxRenderedLength = 100_000

/** `position` is in UTF-16 units from 0; null when the parser does not say where. */
export type ParsedSql =
  | { readonly ok: true; readonly tree: SqlTree }
  | { readonly ok: false; readonly message: string; readonly position: number | null }

/**
 * SQL text as a tree: libpg-query for Postgres, polyglot for the rest. Never throws. Text that is too long or
 * nests too deep is not parsed at all, nor is text that could be cut into tokens in two ways.
 */
export const parseSql = (sql: string, dialect: ParseDialect, maxLength = maxSqlLength): ParsedSql => {
  if (sql.length > maxLength)
    return fail(`it is longer than ${maxLength.toLocaleString('en')} characters (${sql.length})`, maxLength)
  // libpg-query takes a C string and would silently stop at NUL.
  const unseen = sql.search(/\0/)
  if (unseen >= 0 || !sql.isWellFormed())
    return fail('it has a character that is no text', Math.max(unseen, 0))
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return fail(`it has ${cut.message}`, cut.position)
  if (statementDepth(cut.tokens) > maxStatementDepth) return fail('it nests too deep', null)
  return dialectNamed(dialect).parser === 'libpg-query'
    ? parseAsPostgres(sql, dialect, cut)
    : parseAsPolyglot(sql, dialect, cut)
}

const fail = (message: string, position: number | null): ParsedSql => ({ ok: false, message, position })

type TokenizedSql = Extract<SqlTokens, { ok: true }>

const parseAsPostgres = (sql: string, dialect: ParseDialect, cut: TokenizedSql): ParsedSql => {
  const parsed = parsePostgres(sql)
  if (!parsed.ok) return fail(parsed.message, utf16Offset(sql, parsed.position))
  const { tokens, comments } = cut
  return {
    ok: true,
    tree: {
      parser: 'libpg-query',
      dialect,
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
  const { hasGlob, hasDoubleSlash } = dialectNamed(dialect).grammar
  const whole = hasGlob ? rewriteNotGlob(lifted, cut.tokens) : lifted
  const single = hasDoubleSlash ? rewriteDoubleSlash(whole, cut.tokens) : null
  const read = single ?? whole
  const parsed = parsePolyglot(read, dialect)
  if (!parsed.ok) return fail(parsed.message, utf16Offset(sql, parsed.position))
  const { tokens, comments } = cut
  const statements = single === null ? parsed.statements : parsed.statements.map(divideWithoutFraction)
  return {
    ok: true,
    tree: { parser: 'polyglot', dialect, sql, read, statements, tokens, comments },
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

/** Statements of the questions that are worked on at a time. */
const maxCachedParses = 32

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}

/** How deep a statement may nest. Real ones stay under 40; both parsers overflow their stack past about 900. */
export const maxStatementDepth = 300

/**
 * Estimates from the tokens alone how deep the tree will be: open brackets and CASEs, plus in each the chains
 * that lean to one side (`1+1+1`, `not not a`, `a or b or c`). Parsing what is too deep is not merely an error:
 * libpg-query leaks about 12 MB each time it runs out of stack, and hangs after some dozens (measured).
 */
export const statementDepth = (tokens: readonly SqlToken[]): number => {
  const levels: Level[] = [{ wide: 0, narrow: 0 }]
  let below = 0
  let deepest = 0
  for (const token of tokens) {
    const level = levels.at(-1) as Level
    const word = token.kind === 'word' || token.kind === 'symbol' ? token.value : ''
    if (openers.has(word)) {
      below += level.wide + level.narrow + 1
      levels.push({ wide: 0, narrow: 0 })
    } else if (closers.has(word) && levels.length > 1) {
      levels.pop()
      const outer = levels.at(-1) as Level
      below -= outer.wide + outer.narrow + 1
      // `a[1][1][1]` nests to the left.
      if (word === ']') outer.narrow += 1
    } else if (word === ',' || word === ';') {
      level.wide = 0
      level.narrow = 0
    } else if (wideChains.has(word)) {
      level.wide += 1
      level.narrow = 0
    } else if (narrowChains.has(word)) {
      level.narrow += 1
    }
    const here = levels.at(-1) as Level
    deepest = Math.max(deepest, below + here.wide + here.narrow)
  }
  return deepest
}

const openers = new Set(['(', '[', '{', 'case'])

const closers = new Set([')', ']', '}', 'end'])

const wideChains = new Set(['and', 'or', 'xor', 'union', 'intersect', 'except', 'minus', 'join', 'when'])

const narrowChains = new Set(
  '+ - * / % || | & ^ ~ ! << >> < > = <> != <= >= == <=> -> ->> :: . # @ && ? not is in like ilike between collate div mod regexp rlike glob similar over at isnull notnull'.split(
    ' ',
  ),
)

/** Makes `read` remember what it gave for the keys that were last asked for, at most `most` of them. */
const memoizeLast = <Value>(most: number, read: (key: string) => Value): ((key: string) => Value) => {
  const known = new Map<string, Value>()
  return key => {
    const value = known.has(key) ? (known.get(key) as Value) : read(key)
    // A Map keeps the order of insertion: the newest stand last, the oldest has to go.
    known.delete(key)
    known.set(key, value)
    if (known.size > most) known.delete(known.keys().next().value as string)
    return value
  }
}

const cachedParse = memoizeLast(maxCachedParses, (key: string): ParsedSql => {
  const at = key.indexOf(' ')
  return deepFreeze(parseSql(key.slice(at + 1), key.slice(0, at) as ParseDialect))
})

/**
 * As `parseSql`, and remembered: one candidate is read for its tables, its literals, its shape and its words, one after
 * the other. The tree is frozen, for it is shared. What decides whether a statement may run parses for itself.
 */
export const parseSqlCached = (sql: string, dialect: ParseDialect): ParsedSql =>
  cachedParse(`${dialect} ${sql}`)

interface Level {
  wide: number
  narrow: number
}
