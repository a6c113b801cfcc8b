import type { ParseDialect } from '../core/dialect.ts'
import { memoizeLast } from '../lib/remember-last.ts'
import { type ParsedSql, parseSql } from './parse-sql.ts'

/** Statements of the questions that are worked on at a time. */
const maxCachedParses = 32

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

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
