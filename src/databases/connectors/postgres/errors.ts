import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) that say what was wrong. */
const byCode: ReadonlyMap<string, SqlErrorClass> = new Map<string, SqlErrorClass>([
  ['42601', 'syntax'],
  ['42P10', 'syntax'], // invalid_column_reference: ORDER BY 7 of three columns
  ['42P02', 'syntax'], // undefined_parameter: $1
  ['08P01', 'syntax'], // protocol_violation: what a $1 that is given no value comes to
  ['42712', 'syntax'], // duplicate_alias
  ['42P19', 'syntax'], // invalid_recursion
  ['42P01', 'unknown-table'],
  ['3F000', 'unknown-table'], // invalid_schema_name
  ['42703', 'unknown-column'],
  ['42702', 'ambiguous-column'],
  ['42P09', 'ambiguous-column'], // ambiguous_alias
  ['42804', 'type-mismatch'],
  ['42846', 'type-mismatch'], // cannot_coerce
  ['42P18', 'type-mismatch'], // indeterminate_datatype
  ['42P08', 'type-mismatch'], // ambiguous_parameter
  ['22P02', 'type-mismatch'], // invalid_text_representation
  ['22007', 'type-mismatch'], // invalid_datetime_format
  ['22008', 'type-mismatch'], // datetime_field_overflow
  ['42883', 'function'],
  ['42725', 'function'], // ambiguous_function
  ['42809', 'function'], // wrong_object_type: "x is not an aggregate function"
  ['42803', 'aggregation'], // grouping_error
  ['42P20', 'aggregation'], // windowing_error
  ['42501', 'permission'],
  ['25006', 'permission'], // read_only_sql_transaction
  ['25001', 'permission'], // active_sql_transaction: what may not be done inside a transaction
  ['55P03', 'timeout'], // lock_not_available
  ['53300', 'connection'], // too_many_connections
  ['25P03', 'connection'], // idle_in_transaction_session_timeout
])

const queryCancelled = '57014'

/** out_of_memory, temp_file_limit, and a text that outgrew a gigabyte. */
const beyondLimits: ReadonlySet<string> = new Set(['53200', '53400', '54000'])

interface ServerError extends Error {
  readonly code: string
  readonly hint?: string
  /** The C function that raised it. */
  readonly routine?: string
}

/** True for errors that the server reported. A broken socket has a `code` too, but in another form. */
export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error &&
  'severity' in error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code)

const classify = (error: ServerError, ranOutOfTime: boolean): SqlErrorClass => {
  if (error.code === queryCancelled) return ranOutOfTime ? 'timeout' : 'cancelled'
  // One SQLSTATE is used for unknown functions and for unknown operators; the latter mean types that do not
  // match.
  if (error.code === '42883' && error.routine === 'op_error') return 'type-mismatch'
  return byCode.get(error.code) ?? (/^(08|57P)/.test(error.code) ? 'connection' : 'other')
}

/**
 * An error of pg as an `SqlError`; our own errors pass unchanged. `ranOutOfTime` tells a statement_timeout from a
 * cancel by someone else: they share one SQLSTATE, and the message depends on the server's language.
 */
export const toSqlError = (error: unknown, options: { readonly ranOutOfTime: boolean }): QuerentError => {
  if (error instanceof QuerentError) return error
  if (!isServerError(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
      cause: error,
    })
  }
  if (beyondLimits.has(error.code))
    return new SqlError('other', needsTooMuchMemory, { driverCode: error.code, cause: error })
  const hint = error.hint === undefined ? '' : ` (${error.hint})`
  return new SqlError(classify(error, options.ranOutOfTime), cleanDriverMessage(`${error.message}${hint}`), {
    driverCode: error.code,
    cause: error,
  })
}

const untrusted =
  'The server’s certificate is not trusted: name its authority with sslrootcert=FILE in the address, or take any with sslmode=no-verify.'

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  [
    'ECONNRESET',
    'The server closed the connection: check that it is a Postgres server, and whether it requires TLS (sslmode=require).',
  ],
  ['ENOENT', 'There is no such socket: check the folder of the socket, and that the server is running.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['28P01', 'Check user and password.'],
  ['28000', 'The server does not let this user in from here: check the user and the server’s pg_hba.conf.'],
  ['3D000', 'There is no such database on that server: check its name.'],
  ['53300', 'The server has no free connections: close some, or raise max_connections.'],
  ['57P03', 'The server is starting up or shutting down: try again in a moment.'],
])

/**
 * An error that says why no connection could be made, and what to check. `place` names the database without its
 * password.
 */
export const connectionError = (place: string, error: unknown): QuerentError => {
  const code = codeOf(error)
  const advice =
    (code !== null && adviceByCode.get(code)) ||
    (isServerError(error)
      ? 'Check the settings of the connection.'
      : 'Check host, port and firewall, and whether the server requires TLS (sslmode=require) or does not support it.')
  return describeNetworkError(place, error, advice)
}
