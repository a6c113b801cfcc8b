import type { GuardedSql } from '../../src/domain/sql.ts'

/** Puts the brand on without asking the guard: a connector has to stand on its own feet. */
export const forgeGuardedSql = (sql: string, dialect: GuardedSql['dialect']): GuardedSql =>
  ({ sql, dialect }) as unknown as GuardedSql
