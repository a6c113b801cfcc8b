import type { ParseDialect } from './dialect.ts'

declare const guarded: unique symbol

/**
 * One read-only statement that the guard has read as a tree. Executors accept nothing else, and the text in
 * `sql` is exactly the text that was checked (threat T1).
 */
export interface GuardedSql {
  readonly sql: string
  readonly dialect: ParseDialect
  readonly [guarded]: true
}

/** What the guard says of a statement. `reason` names the offending part in words that a person understands. */
export type GuardVerdict = { verdict: 'allow'; guarded: GuardedSql } | { verdict: 'refuse'; reason: string }

/** The guard as its callers know it: text in, verdict out; never throws. */
export type Guard = (sql: string, dialect: ParseDialect) => GuardVerdict

/** Puts the brand on. Only `src/databases/guard` may import this; the architecture test holds it to that. */
export const brandGuardedSql = (sql: string, dialect: ParseDialect): GuardedSql =>
  Object.freeze({ sql, dialect }) as GuardedSql
