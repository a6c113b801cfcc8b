import type { LexicalRules } from './lexical-rules.ts'
import type { SqlToken } from './sql-tokens.ts'

/** The string or quoted name that begins at `at`; null when none does. */
export const quotedToken = (
  sql: string,
  at: number,
  rules: LexicalRules,
): SqlToken | 'unterminated' | null => {
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
