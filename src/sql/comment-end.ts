import type { LexicalRules } from './lexical-rules.ts'

/** End of the comment that starts at `at`; null when none starts there, -1 when it is not closed. */
export const commentEnd = (sql: string, at: number, rules: LexicalRules): number | null => {
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
