import type { Dialect } from '../../../core/dialect.ts'
import type { Guard } from '../../../core/guarded-sql.ts'
import { parseSql } from '../../../sql/parse-sql.ts'
import { scopeRefusal } from './scope-refusal.ts'
import type { FindTable } from './sight.ts'

/**
 * The guard of one database: what `guard` allows, and of that only what reads nothing but the tables and columns that
 * `find` finds open. What cannot be looked up to the end is refused.
 */
export const makeScopedGuard =
  (guard: Guard, { dialect, find }: { readonly dialect: Dialect; readonly find: FindTable }): Guard =>
  (sql, asked) => {
    const verdict = guard(sql, asked)
    if (verdict.verdict === 'refuse') return verdict
    if (asked !== dialect)
      return { verdict: 'refuse', reason: `it is ${asked}, but the database speaks ${dialect}` }
    const reason = reasonOf(sql, dialect, find)
    return reason === null ? verdict : { verdict: 'refuse', reason }
  }

const reasonOf = (sql: string, dialect: Dialect, find: FindTable): string | null => {
  const unread = 'it has a form in which nobody can tell which tables and columns it reads'
  try {
    const parsed = parseSql(sql, dialect)
    return parsed.ok ? scopeRefusal(parsed.tree, dialect, find) : unread
  } catch {
    return unread
  }
}
