import { QuerentError } from '../core/errors.ts'

/** SQLSTATE classes of a connection that broke, a server without room, and one that stops or starts. */
const outageClasses: ReadonlySet<string> = new Set(['08', '53', '57'])
const outageCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** What pg and knex say where they give no code. */
const outageMessages =
  /^Connection terminated|^timeout exceeded when trying to connect|Timeout acquiring a connection/

/** An error of our store as it is, but for one that says that its server is away: that has a code to act on. */
export const translateOutage = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof QuerentError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A statement that was cancelled has a code of the same class, and is no outage.
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && code !== '57014'
  const isAway =
    outageCodes.has(code) ||
    (isSqlState && outageClasses.has(code.slice(0, 2))) ||
    outageMessages.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(one => translateOutage(one) !== one))
  if (!isAway) return error
  return new QuerentError(
    'store-unavailable',
    `our own database cannot be reached (${error.message || code}); check DATABASE_URL and that its server runs`,
    { cause: error },
  )
}
