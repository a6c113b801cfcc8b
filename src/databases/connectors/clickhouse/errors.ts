import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

const classed = (errorClass: SqlErrorClass, ...codes: readonly number[]) =>
  codes.map(code => [code, errorClass] as const)

/** Codes of ClickHouse's ErrorCodes.cpp that say what was wrong. They keep their numbers. */
const byCode: ReadonlyMap<number, SqlErrorClass> = new Map<number, SqlErrorClass>([
  // Syntax, positions, aliases twice, unequal sides of UNION.
  ...classed('syntax', 62, 56, 67, 68, 127, 179, 258, 264, 268, 352),
  ...classed('unknown-table', 60, 81, 79),
  ...classed('unknown-column', 47, 16, 10, 8),
  ...classed('ambiguous-column', 207, 15),
  // Types that do not fit, and texts that cannot be read as a number or a date.
  ...classed('type-mismatch', 53, 43, 44, 70, 386, 6, 26, 27, 32, 38, 41, 72, 349, 376, 377, 407, 50, 69),
  ...classed('function', 46, 42, 63, 36, 35, 34, 132, 133, 134, 309),
  ...classed('aggregation', 184, 215, 80, 183),
  ...classed('permission', 164, 291, 392, 497, 516, 192, 193, 194, 195, 48, 452),
  ...classed('timeout', 159, 160, 209),
  ...classed('cancelled', 394, 236),
  ...classed('connection', 202, 210, 198, 279, 32_000),
])

const readsTooMuch = 'The statement reads more rows or bytes than it may. Filter by a date, or ask for less.'

/** What people are told instead of the server's words. */
const messages: ReadonlyMap<number, string> = new Map([
  [241, needsTooMuchMemory],
  [158, readsTooMuch],
  [307, readsTooMuch],
])

/** `Code: 62. DB::Exception: ...`, and `Code: 62, e.displayText() = DB::Exception: ..., e.what() = ...` before 2020. */
const serverMessage =
  /^Code: (\d+)[.,](?: e\.displayText\(\) =)? DB::(?:Net)?Exception: ([\s\S]*?)(?:, e\.what\(\) =[\s\S]*|\(version [^()]*(?:\([^()]*\))?\)\s*)?$/

/** The driver takes the code apart itself where it knows the form. */
const partsOf = (error: unknown): { readonly code: number; readonly message: string } | null => {
  if (!(error instanceof Error)) return null
  const found = serverMessage.exec(error.message)
  if (found) return { code: Number(found[1]), message: found[2] ?? '' }
  const code = codeOf(error)
  return code !== null && /^\d+$/.test(code) ? { code: Number(code), message: error.message } : null
}

/** An error of the server or the network as an `SqlError`; our own errors pass unchanged. `driverCode` is its number. */
export const toSqlError = (error: unknown): QuerentError => {
  if (error instanceof QuerentError) return error
  const parts = partsOf(error)
  if (parts === null) {
    const message = error instanceof Error ? error.message : String(error)
    return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
      cause: error,
    })
  }
  return new SqlError(
    byCode.get(parts.code) ?? 'other',
    messages.get(parts.code) ?? cleanDriverMessage(parts.message),
    { driverCode: String(parts.code), cause: error },
  )
}

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['ECONNRESET', 'The server closed the connection: use the port of HTTP (8123, or 8443 with tls=true).'],
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
    advice ?? 'Check the address, the user and the password, and that the port is that of HTTP.',
  )
}
