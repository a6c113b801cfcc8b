import type { ModelUsage } from './operations/usage.ts'

/** Closed set of reasons why Querent throws. Honest outcomes (asked back, refused) are values, never errors. */
export type ErrorCode =
  | 'bad-arguments'
  | 'bad-configuration'
  | 'unknown-database'
  | 'database-unreachable'
  | 'database-error'
  | 'store-unavailable'
  | 'model-failed'
  | 'budget-spent'
  | 'not-installed'
  | 'cancelled'
  | 'internal'

/**
 * The base of everything we throw: a closed code, a message that says what to do next, and the cause.
 * Decide on `code`, never on the words of the message: a value out of a user's data can stand in it.
 */
export class QuerentError extends Error {
  override readonly name: string = 'QuerentError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/**
 * What went wrong with a statement, from the driver's code (design/pipeline.md 6), never from its message alone.
 * `refused` is the guard's, `too-heavy` a statement that was not run because it would read too much unasked,
 * `over-budget` one that was not because a limit of the day or of the question is reached;
 * `empty-result` and `wrong-shape` are judged on a result that did run.
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

/** A statement that a database refused or could not finish. `driverCode` is the SQLSTATE or the SQLite result code. */
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

/** A model call that came to nothing. `usage` is what it cost all the same: refused and malformed replies count. */
export class ModelError extends QuerentError {
  override readonly name = 'ModelError'
  readonly usage: ModelUsage

  constructor(code: ErrorCode, message: string, options: { usage: ModelUsage; cause?: unknown }) {
    super(code, message, options)
    this.usage = options.usage
  }
}
