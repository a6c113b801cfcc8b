import { QuerentError } from './errors.ts'

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
