import { QuerentError } from '../core/errors.ts'

/** SQLSTATE classes of a connection that broke, a server without room, and one that stops or starts. */
const awayClasses: ReadonlySet<string> = new Set(['08', '53', '57'])
const awayCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** What pg and knex say where they give no code. */
const awayWords =
  /^Connection terminated|^timeout exceeded when trying to connect|Timeout acquiring a connection/

/** An error of our store as it is, but for one that says that its server is away: that has a code to act on. */
export const nameOutage = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof QuerentError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A statement that was cancelled has a code of the same class, and is no outage.
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && code !== '57014'
  const isAway =
    awayCodes.has(code) ||
    (isSqlState && awayClasses.has(code.slice(0, 2))) ||
    awayWords.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(one => nameOutage(one) !== one))
  if (!isAway) return error
  return new QuerentError(
    'store-unavailable',
    `our own database cannot be reached (${error.message || code}); check DATABASE_URL and that its server runs`,
    { cause: error },
  )
}
