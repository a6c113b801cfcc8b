import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

/** A status as the Thrift protocol has it. */
export interface ThriftFailure {
  readonly sqlState?: string | null
  readonly errorCode?: number | null
  readonly errorMessage?: string | null
}

/** Error conditions of Spark's error-conditions.json, by how their names begin. */
const byCondition: readonly (readonly [RegExp, SqlErrorClass])[] = [
  [
    /^(?:PARSE_|INVALID_USAGE_OF_STAR|UNCLOSED|INVALID_(?:IDENTIFIER|ESCAPE)|NUM_COLUMNS_MISMATCH|ORDER_BY_POS|GROUP_BY_POS)/,
    'syntax',
  ],
  [
    /^(?:TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND|CATALOG_NOT_FOUND|REQUIRES_SINGLE_PART_NAMESPACE)/,
    'unknown-table',
  ],
  [/^(?:UNRESOLVED_COLUMN|UNRESOLVED_FIELD|UNRESOLVED_MAP_KEY|FIELD_NOT_FOUND)/, 'unknown-column'],
  [/^AMBIGUOUS_/, 'ambiguous-column'],
  [
    /^(?:DATATYPE_MISMATCH|CAST_|CANNOT_PARSE|INCOMPATIBLE_|INVALID_TYPED_LITERAL|INCOMPARABLE)/,
    'type-mismatch',
  ],
  [/^(?:UNRESOLVED_ROUTINE|WRONG_NUM_ARGS|ROUTINE_NOT_FOUND|UNKNOWN_ROUTINE)/, 'function'],
  [
    /^(?:MISSING_AGGREGATION|MISSING_GROUP_BY|GROUP_BY_AGGREGATE|NESTED_AGGREGATE|INVALID_WHERE_CONDITION|UNSUPPORTED_GENERATOR)/,
    'aggregation',
  ],
  [/^(?:INSUFFICIENT_PERMISSIONS|PERMISSION_DENIED|UNAUTHORIZED)/, 'permission'],
]

/** SQLSTATEs, for conditions that are not listed. */
const bySqlState: readonly (readonly [RegExp, SqlErrorClass])[] = [
  [/^42601$/, 'syntax'],
  [/^42P01$|^42704$/, 'unknown-table'],
  [/^42703$/, 'unknown-column'],
  [/^42702$/, 'ambiguous-column'],
  [/^42883$|^42605$/, 'function'],
  [/^42803$/, 'aggregation'],
  [/^(?:42K09|22018|22007|42846|42804)$/, 'type-mismatch'],
  [/^42501$/, 'permission'],
  [/^HYT00$/, 'timeout'],
  [/^HY008$/, 'cancelled'],
]

/** `[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column ...` behind the classes of Java that wrap it. */
const conditionIn = (message: string): string | null => /\[([A-Z][A-Z0-9_.]+)\]/.exec(message)?.[1] ?? null

/** The server's words without the Java around them, and without the plan that some of them end with. */
const wordsOf = (message: string): string =>
  cleanDriverMessage(
    message
      .replace(/^[\s\S]*\[[A-Z][A-Z0-9_.]+\] /, '')
      .replace(/\n(?:\s*\n)?== SQL[\s\S]*$/, '')
      .replace(/;\n'?[A-Z][\s\S]*$/, '')
      .replace(/\n\s*at [\s\S]*$/, ''),
  )

/** A status that says that something failed, as an `SqlError`. `driverCode` is Spark's name for it, or the SQLSTATE. */
export const failureError = ({ sqlState, errorMessage }: ThriftFailure): SqlError => {
  const message = errorMessage ?? 'The server gave no reason.'
  const condition = conditionIn(message)
  const known =
    byCondition.find(([pattern]) => condition !== null && pattern.test(condition))?.[1] ??
    bySqlState.find(([pattern]) => pattern.test(sqlState ?? ''))?.[1]
  const driverCode = condition ?? sqlState ?? 'ERROR'
  if (/OutOfMemoryError|SparkOutOfMemory|maxResultSize/.test(message))
    return new SqlError('other', needsTooMuchMemory, { driverCode })
  if (
    known === undefined &&
    /Invalid SessionHandle|SparkContext was shut down|executor lost|ExecutorLostFailure/i.test(message)
  )
    return new SqlError('connection', 'The server lost the statement while it ran. Ask again.', {
      driverCode,
    })
  return new SqlError(known ?? 'other', wordsOf(message), { driverCode })
}

/** An error of the driver or the network as an `SqlError`; our own errors pass unchanged. */
export const toSqlError = (error: unknown): QuerentError => {
  if (error instanceof QuerentError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
    cause: error,
  })
}

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['EPROTO', 'The server does not speak HTTPS on this port.'],
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
    advice ??
      'Check the address, the path and the token or password. The server must take Thrift over HTTPS.',
  )
}
