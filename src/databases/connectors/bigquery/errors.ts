import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

/** One reason, as the service reports it of a request and of a job. */
export interface ServiceReason {
  readonly reason?: string
  readonly message?: string
}

/** What is behind `invalidQuery`: only the message tells. */
const invalidQueries: readonly (readonly [RegExp, SqlErrorClass])[] = [
  [/^Table .* (?:was not found|must be qualified)|^Not found: (?:Table|Dataset|Project)/i, 'unknown-table'],
  [/^Unrecognized name|^Name \S+ not found inside|^Field name .* does not exist/i, 'unknown-column'],
  [/ambiguous|^Duplicate column names/i, 'ambiguous-column'],
  [/^Function not found|^No matching signature for (?:aggregate |analytic )?function/i, 'function'],
  [
    /neither grouped nor aggregated|^Aggregate function .* not allowed|^Aggregations of aggregations|^Analytic function .* not allowed/i,
    'aggregation',
  ],
  [
    /^No matching signature for operator|^Could not cast|^Bad \w+ value|^Invalid cast|^Invalid (?:date|time|timestamp|datetime)|mismatched (?:types|column count)|incompatible types/i,
    'type-mismatch',
  ],
  [/^Syntax error|^Unclosed|^Unexpected|^ORDER BY column number|^Illegal/i, 'syntax'],
]

const byReason: Readonly<Record<string, SqlErrorClass>> = {
  accessDenied: 'permission',
  billingNotEnabled: 'permission',
  bytesBilledLimitExceeded: 'other',
  notFound: 'unknown-table',
  invalid: 'other',
  timeout: 'timeout',
  stopped: 'cancelled',
  authError: 'permission',
  required: 'permission',
  backendError: 'connection',
  internalError: 'connection',
  jobBackendError: 'connection',
  tableUnavailable: 'connection',
}

/** What people are told instead of the service's words. */
const messages: Readonly<Record<string, string>> = {
  bytesBilledLimitExceeded:
    'The statement reads more bytes than it may. Filter by a date or a partition, or select fewer columns.',
  rateLimitExceeded:
    'BigQuery takes no more statements from this project at the moment. Ask again in a minute.',
  jobRateLimitExceeded:
    'BigQuery takes no more statements from this project at the moment. Ask again in a minute.',
  quotaExceeded: 'A quota of the BigQuery project is used up. An administrator of the project can see which.',
  resourcesExceeded: needsTooMuchMemory,
  responseTooLarge: 'The result is too large. Group or filter it, or select fewer columns.',
  billingTierLimitExceeded: needsTooMuchMemory,
}

/** What the service says of a job or a request, as an `SqlError`. `driverCode` is its reason. */
export const reasonError = ({ reason = 'error', message = '' }: ServiceReason): SqlError => {
  const needsFilter = /without a filter over column\(s\) '?([\w, ]+)/.exec(message)?.[1]
  if (needsFilter !== undefined)
    return new SqlError('other', `This table can only be read with a filter on ${needsFilter}.`, {
      driverCode: reason,
    })
  // A job that ran into its own time limit is stopped like one that was canceled.
  if (/timed? ?out/i.test(message) && /^(?:stopped|timeout)$/.test(reason))
    return new SqlError('timeout', 'The statement took longer than it may.', { driverCode: reason })
  const errorClass =
    reason === 'invalidQuery'
      ? (invalidQueries.find(([pattern]) => pattern.test(message))?.[1] ?? 'other')
      : (byReason[reason] ?? 'other')
  return new SqlError(errorClass, messages[reason] ?? cleanDriverMessage(message), {
    driverCode: reason,
    cause: new Error(message),
  })
}

const reasonsOf = (error: unknown): ServiceReason | null => {
  if (typeof error !== 'object' || error === null || !('errors' in error) || !Array.isArray(error.errors))
    return null
  return (error.errors[0] as ServiceReason | undefined) ?? null
}

/** An error of the client, the service or the network as an `SqlError`; our own errors pass unchanged. */
export const toSqlError = (error: unknown): QuerentError => {
  if (error instanceof QuerentError) return error
  const reason = reasonsOf(error)
  if (reason?.reason !== undefined) return reasonError(reason)
  const message = error instanceof Error ? error.message : String(error)
  const status = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : 0
  if (status === 401 || status === 403)
    return new SqlError('permission', `BigQuery refused the credentials: ${cleanDriverMessage(message)}`, {
      driverCode: String(status),
      cause: error,
    })
  return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
    cause: error,
  })
}

/** The error of a service that could not be asked at all. */
export const unreachable = (place: string, error: unknown): QuerentError => {
  const cause = error instanceof SqlError ? (error.cause ?? error) : error
  const code = codeOf(cause)
  const advice = networkErrorHints.find(([known]) => known === code)?.[1]
  return describeNetworkError(
    place,
    cause,
    advice ??
      'Check the project, the dataset and the credentials: keyFile=FILE in the address, or the application default credentials. They need the roles BigQuery Job User and BigQuery Data Viewer.',
  )
}
