import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

/** A failure as the SQL API reports it. */
export interface SnowflakeFailure {
  readonly code?: string
  readonly sqlState?: string
  readonly message?: string
}

/** Codes of Snowflake, which say more than its SQLSTATEs. */
const byCode: Readonly<Record<string, SqlErrorClass>> = {
  ...{ '000008': 'syntax', '001003': 'syntax', '002040': 'syntax', '001789': 'type-mismatch' },
  ...{ '002003': 'unknown-table', '002043': 'unknown-table' },
  ...{ '000904': 'unknown-column', '002028': 'ambiguous-column' },
  ...{ '002139': 'function', '002140': 'function', '002141': 'function' },
  ...{ '000938': 'function', '000939': 'function' },
  ...{ '000979': 'aggregation', '001104': 'aggregation', '002079': 'aggregation' },
  ...{ '001044': 'type-mismatch', '001007': 'type-mismatch', '002018': 'type-mismatch' },
  ...{ '003001': 'permission', '003540': 'permission' },
  ...{ '000604': 'cancelled', '000630': 'timeout' },
}

/** SQLSTATEs, for codes that are not listed. */
const bySqlState: readonly (readonly [RegExp, SqlErrorClass])[] = [
  [/^42501$/, 'permission'],
  [/^42S02$|^02000$/, 'unknown-table'],
  [/^42702$/, 'ambiguous-column'],
  [/^42883$/, 'function'],
  [/^42803$/, 'aggregation'],
  [/^(?:22018|22007|22P02|42846)$/, 'type-mismatch'],
]

/** What people are told instead of the server's words. */
const adviceByCode: Readonly<Record<string, string>> = {
  '000606': 'No warehouse is selected. Name one in the address: warehouse=NAME.',
  '390189': 'The user does not have the role that the address names.',
  '390144':
    'Snowflake does not accept the key: check the account, the user, and that its RSA_PUBLIC_KEY is the public half.',
  '390318': 'The OAuth token has ended. Put a new one in the address.',
  '390303': 'Snowflake does not accept the OAuth token.',
}

/** A failure of a statement as an `SqlError`. `driverCode` is Snowflake's code for it. */
export const failureError = ({ code = '', sqlState = '', message = '' }: SnowflakeFailure): SqlError => {
  const driverCode = code === '' ? sqlState || 'ERROR' : code
  if (/memory|spill/i.test(message) && /exhausted|out of|limit/i.test(message))
    return new SqlError('other', needsTooMuchMemory, { driverCode })
  const errorClass = byCode[code] ?? bySqlState.find(([pattern]) => pattern.test(sqlState))?.[1] ?? 'other'
  const words = message.replace(/^SQL compilation error:\s*/, '')
  return new SqlError(errorClass, adviceByCode[code] ?? cleanDriverMessage(words || 'No reason was given.'), {
    driverCode,
  })
}

/** A request that the account refused before it looked at a statement. */
export const refusedRequest = (status: number, failure: SnowflakeFailure): SqlError => {
  const driverCode = failure.code ?? String(status)
  if (status === 401 || status === 403)
    return new SqlError(
      'permission',
      adviceByCode[driverCode] ??
        `Snowflake refused the login (${status}). Check the user and the key or token.`,
      { driverCode },
    )
  if (status === 429)
    return new SqlError('connection', 'Snowflake has too many requests at the moment. Ask again.', {
      driverCode,
    })
  const words = cleanDriverMessage(failure.message ?? '')
  return new SqlError('connection', `Snowflake answered with ${status}. ${words}`.trim(), { driverCode })
}

/** An error of the network as an `SqlError`; our own errors pass unchanged. */
export const toSqlError = (error: unknown): QuerentError => {
  if (error instanceof QuerentError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
    cause: error,
  })
}

const networkAdvice: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['ENOTFOUND', 'There is no such account: check its name, such as MYORG-SHOP.'],
  ['UND_ERR_CONNECT_TIMEOUT', 'There was no answer: check the account, the network and its firewall.'],
])

/** The error of an account that could not be asked at all. */
export const unreachable = (place: string, error: unknown): QuerentError => {
  if (error instanceof QuerentError && error.code === 'unknown-database') return error
  const cause = error instanceof SqlError ? (error.cause ?? error) : error
  const code = codeOf(cause)
  const advice = code === null ? undefined : networkAdvice.get(code)
  return describeNetworkError(
    place,
    cause,
    advice ?? 'Check the account, the user, the key or token, the role and the warehouse.',
  )
}
