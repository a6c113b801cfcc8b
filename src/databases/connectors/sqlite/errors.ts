import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import type { ChildError } from '../child/fork.ts'
import { cleanDriverMessage } from '../driver-errors.ts'

/**
 * SQLite's primary result codes (https://www.sqlite.org/rescode.html), with their names, that need no message to
 * tell what was wrong.
 */
const byCode: ReadonlyMap<number, readonly [name: string, errorClass: SqlErrorClass]> = new Map([
  [3, ['SQLITE_PERM', 'permission']],
  [5, ['SQLITE_BUSY', 'timeout']],
  [6, ['SQLITE_LOCKED', 'timeout']],
  [8, ['SQLITE_READONLY', 'permission']],
  [9, ['SQLITE_INTERRUPT', 'cancelled']],
  [10, ['SQLITE_IOERR', 'connection']],
  [11, ['SQLITE_CORRUPT', 'connection']],
  [14, ['SQLITE_CANTOPEN', 'connection']],
  [20, ['SQLITE_MISMATCH', 'type-mismatch']],
  [23, ['SQLITE_AUTH', 'permission']],
  [26, ['SQLITE_NOTADB', 'connection']],
])

/**
 * Nearly everything that can be wrong with a statement is SQLITE_ERROR (1), and only the fixed words of the
 * message tell which. Patterns match only the start or the end, where no name from the statement can be.
 */
const byMessage: readonly (readonly [RegExp, SqlErrorClass])[] = [
  [/^no such table:/, 'unknown-table'],
  [/^no such column:/, 'unknown-column'],
  [/^table .* has no column named /s, 'unknown-column'],
  [/^cannot join using column .* - column not present in both tables$/s, 'unknown-column'],
  [/^ambiguous column name:/, 'ambiguous-column'],
  [/^ambiguous reference to /, 'ambiguous-column'],
  [/^(no such|wrong number of arguments to|unable to use) (window )?function/, 'function'],
  [/^no such table-valued function/, 'function'],
  [/^(misuse of aggregate|misuse of window function|misuse of aliased aggregate)/, 'aggregation'],
  [/^(HAVING clause on a non-aggregate query|a GROUP BY clause is required before HAVING)/, 'aggregation'],
  [/^aggregate functions are not allowed in/, 'aggregation'],
  [/^(DISTINCT aggregates must have|DISTINCT is not supported for window functions)/, 'aggregation'],
  [/^near ".*": syntax error$/s, 'syntax'],
  [/^more than one statement was given/, 'syntax'],
  [/^(incomplete input|unrecognized token:|parser stack overflow|row value misused)/, 'syntax'],
  [/^SELECTs to the left and right of .* do not have the same number of result columns$/, 'syntax'],
  [/^sub-select returns \d+ columns/, 'syntax'],
  [/^\d+(st|nd|rd|th) (ORDER|GROUP) BY term /, 'syntax'],
  [/^(ORDER BY|LIMIT) clause should come (after|before)/, 'syntax'],
  [/^all VALUES must have the same number of terms/, 'syntax'],
  [/^(malformed JSON|bad JSON path)/, 'type-mismatch'],
  [/^(not authorized|access to .* is prohibited)/s, 'permission'],
]

const classify = ({ resultCode, message }: ChildError): SqlErrorClass => {
  if (resultCode === null) return message.includes('contains no statements') ? 'syntax' : 'other'
  return (
    byCode.get(resultCode & 0xff)?.[1] ?? byMessage.find(([pattern]) => pattern.test(message))?.[1] ?? 'other'
  )
}

/** A SQLite error as an `SqlError`. `driverCode` is the name or the number of the primary result code. */
export const toSqlError = (error: ChildError): SqlError => {
  const primary = error.resultCode === null ? null : error.resultCode & 0xff
  return new SqlError(classify(error), cleanDriverMessage(error.message), {
    driverCode:
      primary === null
        ? null
        : (byCode.get(primary)?.[0] ?? (primary === 1 ? 'SQLITE_ERROR' : String(primary))),
  })
}

/** SQLite's own codes, for statements that node:sqlite allows and this connector does not. */
export const genericCode = 1

export const authorizationCode = 23

/** An error of node:sqlite in a form that can be sent. `errcode` is SQLite's extended result code. */
export const toChildError = (error: unknown): ChildError => {
  if (!(error instanceof Error)) return { resultCode: null, message: String(error) }
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
  return { resultCode: code, message: error.message }
}

/** In WAL mode even a reader needs the -shm file beside the database; SQLite creates it if it is missing. */
const walAdvice =
  'If it is in WAL mode, let this user write to its folder, or run PRAGMA journal_mode = delete on it once.'

/** Advice by SQLite's primary result code. */
const advice: ReadonlyMap<number | null, string> = new Map([
  [5, 'Another program has locked it: try again when that program is done.'],
  [8, walAdvice],
  [11, 'It is damaged: run PRAGMA integrity_check on it, or take a backup.'],
  [14, `Check that this user can read it. ${walAdvice}`],
  [26, 'It is not a SQLite database, or it is encrypted.'],
])

/** An error for a file that exists but that SQLite cannot open, with advice. */
export const openError = (file: string, error: ChildError): QuerentError => {
  const primary = error.resultCode === null ? null : error.resultCode & 0xff
  return new QuerentError(
    'database-unreachable',
    `SQLite cannot open ${file}: ${cleanDriverMessage(error.message)}. ${advice.get(primary) ?? 'Check that this user can read it.'}`,
    { cause: toSqlError(error) },
  )
}
