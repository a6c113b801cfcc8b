import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'
import { isServerError, toSqlError as toPostgresError } from '../postgres/errors.ts'

/** The compute nodes report most errors as XX000; only the words tell them apart. */
const byWords: readonly (readonly [RegExp, SqlErrorClass])[] = [
  [/permission denied|not authorized|access denied/i, 'permission'],
  [/cancell?ed by WLM|query monitoring rule|statement timeout/i, 'timeout'],
  [/^Specified types or functions/i, 'function'],
  [/not supported|not implemented/i, 'syntax'],
  [/invalid digit|invalid input syntax|cannot cast|overflow|invalid value/i, 'type-mismatch'],
]

const vague = new Set(['XX000', '0A000'])

/**
 * A write, or a query for which Redshift itself writes: before patch 204, it notes an external or shared table in its
 * catalog, and how old a materialized view is.
 */
const readOnly = /transaction is read-only/i

const outOfRoom = /disk full|out of memory|insufficient memory/i

/** An error of pg as an `SqlError`; our own errors pass unchanged. */
export const toSqlError = (error: unknown, options: { readonly ranOutOfTime: boolean }): QuerentError => {
  if (error instanceof QuerentError || !isServerError(error)) return toPostgresError(error, options)
  const told = { driverCode: error.code, cause: error }
  if (readOnly.test(error.message))
    return new SqlError(
      'permission',
      'Redshift refused this in a read-only transaction. Before patch 204, it also refuses external and shared tables, and views on a materialized view that is out of date.',
      told,
    )
  if (outOfRoom.test(error.message)) return new SqlError('other', needsTooMuchMemory, told)
  const found = vague.has(error.code) ? byWords.find(([words]) => words.test(error.message)) : undefined
  return found === undefined
    ? toPostgresError(error, options)
    : new SqlError(found[1], cleanDriverMessage(error.message), told)
}

const untrusted = 'The server’s certificate is not trusted: name its authority with ca=FILE in the address.'

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['ECONNRESET', 'The server closed the connection: check that the port is that of Redshift, usually 5439.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['28P01', 'Check user and password.'],
  ['28000', 'Check user and password.'],
  ['3D000', 'There is no such database on that cluster: check its name.'],
])

/** An error that says why no connection could be made. `place` names the database without its password. */
export const connectionError = (place: string, error: unknown): QuerentError => {
  const code = codeOf(error)
  // How Redshift asks for a password that was stored as SHA-256, which the client does not know.
  if (error instanceof Error && /authenticationOk message type 13\b/.test(error.message))
    return describeNetworkError(
      place,
      new Error('The user’s password is stored as SHA-256'),
      "Set it again without the prefix sha256|: ALTER USER name PASSWORD '...' stores it as MD5.",
    )
  return describeNetworkError(
    place,
    error,
    (code !== null && adviceByCode.get(code)) ||
      'Check host and port, and that the cluster or workgroup lets this machine in (security group, public access).',
  )
}
