import type { LexicalRules } from '../sql-dialect.ts'

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

/** What is wrong with a text whose last quote is not closed. */
export const openQuote = 'a quote that is not closed'

/**
 * Cuts text into tokens by a dialect's own rules for quotes and comments. It knows no dialect itself, so that a process
 * that reads one file need not load them all. It is strict where servers differ or
 * where a person cannot see what stands there: control characters, unusual characters outside quotes, anything
 * unterminated and MySQL's executable comments are errors.
 */
export const cutTokens = (sql: string, rules: LexicalRules): SqlTokens => {
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
      if (rules.executableComments && /^\/\*M?!/i.test(text))
        return { ok: false, message: 'an executable comment (/*! ... */)', position: at }
      // A bare carriage return ends the comment in Postgres and DuckDB, and does not in SQLite and MySQL.
      if (/^(?:--|#).*\r./s.test(text))
        return { ok: false, message: 'a comment that ends in some servers and not in others', position: at }
      comments.push({ text, start: at, end: comment })
      at = comment
      continue
    }
    const next = quotedToken(sql, at, rules) ?? readPlain(sql, at, rules)
    if (next === 'unterminated') return { ok: false, message: openQuote, position: at }
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

/** The string or quoted name that begins at `at`; null when none does. */
const quotedToken = (sql: string, at: number, rules: LexicalRules): SqlToken | 'unterminated' | null => {
  const open = sql[at] as string
  const close = rules.nameQuotes[open]
  if (close !== undefined) return quoted(sql, at, at, close, { kind: 'quoted', escapes: false })
  if (rules.stringQuotes.includes(open))
    return quoted(sql, at, at, open, { kind: 'string', escapes: rules.backslashEscapes })
  if (rules.dollarQuotes && open === '$') return dollarQuoted(sql, at)
  const prefix = rules.stringPrefixes.find(
    p => sql.slice(at, at + p.length).toLowerCase() === p && sql[at + p.length] === "'",
  )
  if (prefix === undefined) return null
  const escapes = rules.backslashEscapes || prefix === 'e'
  return quoted(sql, at, at + prefix.length, "'", { kind: 'string', escapes })
}

const quoted = (
  sql: string,
  start: number,
  open: number,
  close: string,
  as: { kind: 'quoted' | 'string'; escapes: boolean },
): SqlToken | 'unterminated' => {
  let value = ''
  for (let i = open + 1; i < sql.length; i += 1) {
    const char = sql[i] as string
    if (char === '\\' && as.escapes) {
      i += 1
      value += sql[i] ?? ''
    } else if (char !== close) {
      value += char
    } else if (sql[i + 1] === close && close !== ']') {
      value += close
      i += 1
    } else {
      return { kind: as.kind, text: sql.slice(start, i + 1), value, start, end: i + 1 }
    }
  }
  return 'unterminated'
}

const dollarQuoted = (sql: string, at: number): SqlToken | 'unterminated' | null => {
  const tag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y
  tag.lastIndex = at
  const open = tag.exec(sql)?.[0]
  if (open === undefined) return null
  const close = sql.indexOf(open, at + open.length)
  if (close < 0) return 'unterminated'
  const end = close + open.length
  return {
    kind: 'string',
    text: sql.slice(at, end),
    value: sql.slice(at + open.length, close),
    start: at,
    end,
  }
}

/** End of the comment that starts at `at`; null when none starts there, -1 when it is not closed. */
const commentEnd = (sql: string, at: number, rules: LexicalRules): number | null => {
  if (sql.startsWith('/*', at)) return rules.nestedComments ? nestedEnd(sql, at) : plainEnd(sql, at)
  const dashes = sql.startsWith('--', at) && (!rules.dashesNeedSpace || /^[\s]?$/.test(sql.charAt(at + 2)))
  if (!dashes && !(rules.hashComments && sql[at] === '#')) return null
  const line = sql.indexOf('\n', at)
  return line < 0 ? sql.length : line
}

const plainEnd = (sql: string, at: number): number => {
  const close = sql.indexOf('*/', at + 2)
  return close < 0 ? -1 : close + 2
}

const nestedEnd = (sql: string, at: number): number => {
  const marks = /\/\*|\*\//g
  marks.lastIndex = at
  let depth = 0
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return -1
}
