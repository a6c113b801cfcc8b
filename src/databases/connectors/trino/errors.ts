import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

/** An error as the server reports it. */
export interface ServerFailure {
  readonly message?: string
  readonly errorName: string
  readonly errorType?: string
}

/** Names of Trino's `StandardErrorCode` that say what was wrong. */
const byName: ReadonlyMap<string, SqlErrorClass> = new Map<string, SqlErrorClass>([
  ...classed('syntax', [
    ...['SYNTAX_ERROR', 'INVALID_COLUMN_REFERENCE', 'MISMATCHED_COLUMN_ALIASES', 'DUPLICATE_NAMED_QUERY'],
    ...[
      'INVALID_PARAMETER_USAGE',
      'INVALID_LIMIT_CLAUSE',
      'INVALID_ORDER_BY',
      'INVALID_VIEW',
      'MISSING_ORDER_BY',
    ],
    ...[
      'SUBQUERY_MULTIPLE_ROWS',
      'COLUMN_NAME_NOT_SPECIFIED',
      'COLUMN_ALIASES_MISMATCH',
      'DUPLICATE_PARAMETER_NAME',
    ],
    ...[
      'INVALID_RECURSIVE_REFERENCE',
      'MISSING_COLUMN_ALIASES',
      'UNSUPPORTED_SUBQUERY',
      'TOO_MANY_ARGUMENTS',
    ],
  ]),
  ...classed('unknown-table', [
    ...['TABLE_NOT_FOUND', 'SCHEMA_NOT_FOUND', 'CATALOG_NOT_FOUND', 'NOT_FOUND', 'MISSING_TABLE'],
    ...['MISSING_SCHEMA_NAME', 'MISSING_CATALOG_NAME', 'VIEW_IS_STALE', 'TABLE_REDIRECTION_ERROR'],
  ]),
  ...classed('unknown-column', ['COLUMN_NOT_FOUND', 'TABLE_HAS_NO_COLUMNS']),
  ...classed('ambiguous-column', ['AMBIGUOUS_NAME', 'DUPLICATE_COLUMN_NAME']),
  ...classed('type-mismatch', [
    ...['TYPE_MISMATCH', 'INVALID_LITERAL', 'INVALID_CAST_ARGUMENT', 'TYPE_NOT_FOUND', 'OPERATOR_NOT_FOUND'],
  ]),
  ...classed('function', [
    ...['FUNCTION_NOT_FOUND', 'INVALID_FUNCTION_ARGUMENT', 'AMBIGUOUS_FUNCTION_CALL', 'FUNCTION_NOT_WINDOW'],
    ...['FUNCTION_NOT_AGGREGATE', 'INVALID_ARGUMENTS', 'MISSING_ARGUMENT'],
  ]),
  ...classed('aggregation', [
    ...[
      'EXPRESSION_NOT_AGGREGATE',
      'NESTED_AGGREGATION',
      'NESTED_WINDOW',
      'MISSING_GROUP_BY',
      'MISSING_OVER',
    ],
    ...['EXPRESSION_NOT_SCALAR', 'INVALID_WINDOW_FRAME', 'EXPRESSION_NOT_IN_DISTINCT', 'MISSING_WINDOW'],
  ]),
  ...classed('permission', [
    ...['PERMISSION_DENIED', 'READ_ONLY_VIOLATION', 'AUTOCOMMIT_WRITE_CONFLICT', 'QUERY_REJECTED'],
    ...['INVALID_ROLE', 'ROLE_NOT_FOUND', 'NOT_IN_TRANSACTION', 'UNKNOWN_TRANSACTION', 'VIEW_IS_RECURSIVE'],
  ]),
  ...classed('timeout', ['EXCEEDED_TIME_LIMIT', 'ABANDONED_QUERY', 'TRANSACTION_ALREADY_ABORTED']),
  ...classed('cancelled', ['USER_CANCELED']),
  ...classed('connection', [
    ...['REMOTE_TASK_ERROR', 'REMOTE_TASK_MISMATCH', 'REMOTE_HOST_GONE', 'REMOTE_TASK_FAILED'],
    ...['PAGE_TRANSPORT_ERROR', 'PAGE_TRANSPORT_TIMEOUT', 'TOO_MANY_REQUESTS_FAILED', 'NO_NODES_AVAILABLE'],
    ...[
      'SERVER_SHUTTING_DOWN',
      'SERVER_STARTING_UP',
      'CLUSTER_OUT_OF_MEMORY',
      'EXCEEDED_TASK_DESCRIPTOR_STORAGE_CAPACITY',
    ],
  ]),
])

function classed(
  errorClass: SqlErrorClass,
  names: readonly string[],
): readonly (readonly [string, SqlErrorClass])[] {
  return names.map(name => [name, errorClass])
}

/** What people are told instead of the server's words, which name hosts and tasks. */
const messages: Readonly<Record<string, string>> = {
  EXCEEDED_GLOBAL_MEMORY_LIMIT: needsTooMuchMemory,
  EXCEEDED_LOCAL_MEMORY_LIMIT: needsTooMuchMemory,
  CLUSTER_OUT_OF_MEMORY: needsTooMuchMemory,
  EXCEEDED_SPILL_LIMIT: needsTooMuchMemory,
  EXCEEDED_SCAN_LIMIT:
    'The statement reads more bytes than it may. Filter by a date or a partition, or ask for less.',
}

const workerLost = 'A server of the cluster stopped answering while the statement ran. Ask again.'

/** The error of a statement that ran into its time limit while a node of the cluster went away. */
export const lostWorker = (cause: unknown): SqlError =>
  new SqlError('connection', workerLost, { driverCode: 'WORKER_LOST', cause })

const isFailure = (error: unknown): error is ServerFailure =>
  typeof error === 'object' && error !== null && 'errorName' in error && typeof error.errorName === 'string'

/**
 * An error of the server or of the network as an `SqlError`; our own errors pass unchanged. `driverCode` is the
 * server's name for it.
 */
export const toSqlError = (error: unknown): QuerentError => {
  if (error instanceof QuerentError) return error
  if (!isFailure(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
      cause: error,
    })
  }
  const { errorName, message = '' } = error
  const errorClass = byName.get(errorName) ?? (errorName.startsWith('REMOTE_') ? 'connection' : 'other')
  const words =
    messages[errorName] ?? (errorClass === 'connection' ? workerLost : cleanDriverMessage(message))
  return new SqlError(errorClass, words, { driverCode: errorName, cause: new Error(message) })
}

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['UND_ERR_CONNECT_TIMEOUT', 'There was no answer: check the host, port and firewall.'],
  [
    'UND_ERR_SOCKET',
    'The server closed the connection: check the port, and add tls=true if it is encrypted.',
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'The certificate is not trusted: name its authority with ca=FILE in the address.',
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'The certificate is not trusted: name its authority with ca=FILE in the address.',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'The certificate is not trusted: name its authority with ca=FILE in the address.',
  ],
])

/** The error of a server that could not be asked at all. */
export const unreachable = (place: string, error: unknown): QuerentError => {
  const cause = error instanceof SqlError ? (error.cause ?? error) : error
  const code = codeOf(cause)
  const advice = code === null ? undefined : adviceByCode.get(code)
  return describeNetworkError(
    place,
    cause,
    advice ?? 'Check the address, the user and the password, and that the server is a Trino coordinator.',
  )
}
