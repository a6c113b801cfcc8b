import { redact } from '../lib/redact.ts'
import type { BudgetLimit, ModelUsage } from './operations/usage.ts'

/** Closed set of reasons why Querent throws. Expected outcomes (clarification, refusal) are values, never errors. */
export type ErrorCode =
  | 'bad-arguments'
  | 'bad-configuration'
  | 'unknown-database'
  | 'unknown-rights'
  | 'database-unreachable'
  | 'database-error'
  | 'store-unavailable'
  | 'model-failed'
  | 'budget-spent'
  | 'not-installed'
  | 'cancelled'
  | 'internal'

/**
 * Base of every error Querent throws: a closed code, a message with the next step, and the cause. Branch on `code`,
 * never on the message, which can contain user data. Messages reach people and the store, so secrets are taken out.
 */
export class QuerentError extends Error {
  override readonly name: string = 'QuerentError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(redact(message), options)
    this.code = code
  }
}

/**
 * What went wrong with a statement, from the driver's code, never from its message alone.
 * `refused` comes from the guard. `too-heavy` was not run because it would read too much without confirmation.
 * `over-budget` was not run because a quota is used up. `empty-result` and `wrong-shape` describe a result of a
 * statement that ran.
 */
export type SqlErrorClass =
  | 'syntax'
  | 'unknown-table'
  | 'unknown-column'
  | 'ambiguous-column'
  | 'type-mismatch'
  | 'function'
  | 'aggregation'
  | 'permission'
  | 'timeout'
  | 'cancelled'
  | 'connection'
  | 'refused'
  | 'too-heavy'
  | 'over-budget'
  | 'empty-result'
  | 'wrong-shape'
  | 'other'

/** A statement that a database refused or could not finish. `driverCode` is the SQLSTATE or SQLite result code. */
export class SqlError extends QuerentError {
  override readonly name = 'SqlError'
  readonly errorClass: SqlErrorClass
  readonly driverCode: string | null

  constructor(
    errorClass: SqlErrorClass,
    message: string,
    options: { driverCode?: string | null; cause?: unknown } = {},
  ) {
    super(errorClass === 'cancelled' ? 'cancelled' : 'database-error', message, options)
    this.errorClass = errorClass
    this.driverCode = options.driverCode ?? null
  }
}

/** A call that was not sent because a limit of the budget was reached. */
export class BudgetError extends QuerentError {
  override readonly name = 'BudgetError'
  readonly limit: BudgetLimit

  constructor(limit: BudgetLimit, message: string) {
    super('budget-spent', message)
    this.limit = limit
  }
}

/**
 * A failed model call. `usage` is what it cost anyway: refused and malformed replies count. `limit` is the one of the
 * budget that was reached, null if none was.
 */
export class ModelError extends QuerentError {
  override readonly name = 'ModelError'
  readonly usage: ModelUsage
  readonly limit: BudgetLimit | null

  constructor(
    code: ErrorCode,
    message: string,
    options: { usage: ModelUsage; limit?: BudgetLimit | null; cause?: unknown },
  ) {
    super(code, message, options)
    this.usage = options.usage
    this.limit = options.limit ?? null
  }
}
