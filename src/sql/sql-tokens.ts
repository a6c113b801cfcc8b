import type { ParseDialect } from '../core/dialect.ts'
import { commentEnd } from './comment-end.ts'
import { type LexicalRules, lexicalRules } from './lexical-rules.ts'
import { quotedToken } from './quoted-token.ts'

/** One token. `text` is as written, [start, end) in UTF-16 units. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'parameter'
  readonly text: string
  /** Words in lower case, quoted names and strings without their quotes, everything else as written. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** A comment as written, [start, end) in UTF-16 units. */
export interface SqlComment {
  readonly text: string
  readonly start: number
  readonly end: number
}

export type SqlTokens =
  | { readonly ok: true; readonly tokens: readonly SqlToken[]; readonly comments: readonly SqlComment[] }
  | { readonly ok: false; readonly message: string; readonly position: number }

/**
 * Cuts text into tokens by the dialect's own rules for quotes and comments. It is strict where servers differ or
 * where a person cannot see what stands there: control characters, unusual characters outside quotes, anything
 * unterminated and MySQL's executable comments are errors.
 */
export const sqlTokens = (sql: string, dialect: ParseDialect): SqlTokens => {
  const rules = lexicalRules[dialect]
  const tokens: SqlToken[] = []
  const comments: SqlComment[] = []
  let at = 0
  while (at < sql.length) {
    whiteSpace.lastIndex = at
    if (whiteSpace.test(sql)) {
      at = whiteSpace.lastIndex
      continue
    }
    const comment = commentEnd(sql, at, rules)
    if (comment !== null) {
      if (comment < 0) return { ok: false, message: 'a comment that is not closed', position: at }
      const text = sql.slice(at, comment)
      if (dialect === 'mysql' && /^\/\*M?!/i.test(text))
        return { ok: false, message: 'an executable comment (/*! ... */)', position: at }
      // A bare carriage return ends the comment in Postgres and DuckDB, and does not in SQLite and MySQL.
      if (/^(?:--|#).*\r./s.test(text))
        return { ok: false, message: 'a comment that ends in some servers and not in others', position: at }
      comments.push({ text, start: at, end: comment })
      at = comment
      continue
    }
    const next = quotedToken(sql, at, rules) ?? readPlain(sql, at, rules)
    if (next === 'unterminated') return { ok: false, message: 'a quote that is not closed', position: at }
    if (next === null)
      return {
        ok: false,
        message: `a character that does not belong there (${nameOf(sql, at)})`,
        position: at,
      }
    tokens.push(next)
    at = next.end
  }
  return { ok: true, tokens, comments }
}

const whiteSpace = /[ \t\r\n\f]+/y

const plainPatterns: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['number', /0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
  ['word', /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy],
  ['symbol', /<=>|->>|::|:=|=>|->|\|\||!=|<>|<=|>=|==|<<|>>|&&|[-+*/%(),.;:=<>!~@#$^&|?[\]{}\\`]/y],
]

const readPlain = (sql: string, at: number, rules: LexicalRules): SqlToken | null => {
  if (rules.parameterSigns.includes(sql[at] as string)) {
    const parameter = /(?:@@|[?:@$])[\p{L}\p{N}_$]+|\?/uy
    parameter.lastIndex = at
    const text = parameter.exec(sql)?.[0]
    if (text !== undefined) return { kind: 'parameter', text, value: text, start: at, end: at + text.length }
  }
  for (const [kind, pattern] of plainPatterns) {
    pattern.lastIndex = at
    const text = pattern.exec(sql)?.[0]
    if (text !== undefined)
      return {
        kind,
        text,
        value: kind === 'word' ? text.toLowerCase() : text,
        start: at,
        end: at + text.length,
      }
  }
  return null
}

const nameOf = (sql: string, at: number): string => {
  const code = sql.codePointAt(at) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
