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
