import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import {
  cleanDriverMessage,
  codeOf,
  describeNetworkError,
  needsTooMuchMemory,
  networkErrorHints,
} from '../driver-errors.ts'

/** Error numbers of MySQL 8.4 and MariaDB 11 (their manuals' error references) that say what was wrong. */
const byNumber: ReadonlyMap<number, SqlErrorClass> = new Map<number, SqlErrorClass>([
  [1064, 'syntax'],
  [1065, 'syntax'], // the statement is empty
  [1066, 'syntax'], // two tables of one name or alias
  [1149, 'syntax'],
  [1210, 'syntax'], // what a ? that is given no value comes to
  [1221, 'syntax'], // UNION and ORDER BY in the wrong place
  [1222, 'syntax'], // sides of a UNION with different numbers of columns
  [1241, 'syntax'], // a row where one value belongs
  [1248, 'syntax'], // a derived table without an alias
  [3574, 'syntax'], // a recursive CTE without a starting part (MySQL)
  [4005, 'syntax'], // the same in MariaDB
  [1046, 'unknown-table'], // no database is chosen
  [1049, 'unknown-table'], // no such database
  [1051, 'unknown-table'],
  [1109, 'unknown-table'],
  [1146, 'unknown-table'],
  [1356, 'unknown-table'], // a view over something that is gone
  [1054, 'unknown-column'],
  [1247, 'unknown-column'], // an alias that is not there yet
  [1052, 'ambiguous-column'],
  [1060, 'ambiguous-column'],
  [1055, 'aggregation'],
  [1056, 'aggregation'], // GROUP BY over an aggregate
  [1111, 'aggregation'],
  [1140, 'aggregation'],
  [3029, 'aggregation'], // ORDER BY an aggregate without GROUP BY
  [3593, 'aggregation'], // a window function where none may stand (MySQL)
  [4015, 'aggregation'], // the same in MariaDB
  [4016, 'aggregation'],
  [4018, 'aggregation'], // rank() over () without an order
  [1305, 'function'],
  [1582, 'function'], // the wrong number of arguments
  [1583, 'function'],
  [1584, 'function'],
  [1630, 'function'], // a space in front of the parenthesis
  [1128, 'function'],
  [1267, 'type-mismatch'], // collations that do not meet
  [1270, 'type-mismatch'],
  [1271, 'type-mismatch'],
  [1292, 'type-mismatch'], // a text that is no number or date
  [1366, 'type-mismatch'],
  [1411, 'type-mismatch'],
  [1525, 'type-mismatch'], // DATE 'yesterday'
  [3064, 'type-mismatch'],
  [3140, 'type-mismatch'], // a text that is no JSON (MySQL)
  [3141, 'type-mismatch'],
  [3853, 'type-mismatch'],
  [4078, 'type-mismatch'], // types that no operator takes (MariaDB)
  [4079, 'type-mismatch'],
  [1044, 'permission'],
  [1142, 'permission'],
  [1143, 'permission'],
  [1227, 'permission'],
  [1290, 'permission'], // --secure-file-priv, --read-only
  [1295, 'permission'], // what cannot be prepared is no query
  [1370, 'permission'],
  [1449, 'permission'], // a view whose definer is gone
  [1792, 'permission'], // a write in a read-only transaction
  [1836, 'permission'],
  [1205, 'timeout'], // lock_wait_timeout
  [1907, 'timeout'],
  [1969, 'timeout'], // max_statement_time (MariaDB)
  [3024, 'timeout'], // max_execution_time (MySQL)
  [3572, 'timeout'],
  [1317, 'cancelled'],
  [1028, 'cancelled'], // a sort that was stopped
  [1040, 'connection'], // no connection left
  [1053, 'connection'], // the server shuts down
  [1152, 'connection'],
  [1203, 'connection'], // no connection left for this user
  [1226, 'connection'], // the account's hourly limits
  [1927, 'connection'], // KILL CONNECTION
  [4031, 'connection'], // idle for too long (MySQL)
])

interface ServerError extends Error {
  readonly errno: number
  readonly code: string
  readonly sqlState: string
}

/** True for errors that the server reported. A broken socket has a `code` too, but a negative `errno` or none. */
export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error &&
  'errno' in error &&
  typeof error.errno === 'number' &&
  error.errno > 0 &&
  'sqlState' in error

/**
 * An error of mysql2 as an `SqlError`; our own errors pass unchanged. `driverCode` is the server's error number:
 * the SQLSTATE is HY000 for most of them, and names differ between the servers.
 */
export const toSqlError = (error: unknown): QuerentError => {
  if (error instanceof QuerentError) return error
  if (!isServerError(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return new SqlError('connection', `The connection was lost: ${cleanDriverMessage(message)}`, {
      cause: error,
    })
  }
  // The driver adds the statement to the message, with whatever values a question named.
  delete (error as { sql?: string }).sql
  // One number for every option that forbids something.
  if (error.errno === 1290 && error.message.includes('--max-session-mem-used'))
    return new SqlError('other', needsTooMuchMemory, { driverCode: '1290', cause: error })
  return new SqlError(byNumber.get(error.errno) ?? 'other', cleanDriverMessage(error.message), {
    driverCode: String(error.errno),
    cause: error,
  })
}

const untrusted =
  'The server’s certificate is not trusted: name its authority with ssl-ca=FILE in the address, or encrypt without checking it with ssl-mode=REQUIRED.'

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['ECONNRESET', 'The server closed the connection: check that it is a MySQL or MariaDB server.'],
  [
    'PROTOCOL_CONNECTION_LOST',
    'The server closed the connection: check that it is a MySQL or MariaDB server.',
  ],
  ['ENOENT', 'There is no such socket: check its path, and that the server is running.'],
  ['EACCES', 'The socket cannot be opened: check its permissions.'],
  [
    'HANDSHAKE_NO_SSL_SUPPORT',
    'The server does not support TLS: leave ssl-mode out of the address, or give the server a certificate.',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host name: check the address.'],
  ['CERT_HAS_EXPIRED', 'The server’s certificate has expired: renew it.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
])

const adviceByNumber: ReadonlyMap<number, string> = new Map([
  [1045, 'Check user and password, and that this user may log in from here.'],
  [1698, 'The server accepts this user only over its own socket: create a user with a password.'],
  [1130, 'The server accepts no user from this host: check for which hosts the user was created.'],
  [1044, 'This user cannot read that database: grant it SELECT there.'],
  [1049, 'There is no such database on that server: check its name.'],
  [1040, 'The server has no free connections: close some, or raise max_connections.'],
  [1203, 'This user has no free connections: close some, or raise max_user_connections.'],
  [1129, 'The server blocks this host after failed attempts: run FLUSH HOSTS there.'],
  [1251, 'The server requires another login method: give the user a password with caching_sha2_password.'],
  [3159, 'The server accepts only encrypted connections: add ?ssl-mode=REQUIRED to the address.'],
  [1820, 'The password has expired: set a new one.'],
])

const adviceFor = (error: unknown): string => {
  if (isServerError(error)) return adviceByNumber.get(error.errno) ?? 'Check the settings of the connection.'
  const code = codeOf(error)
  return (
    (code !== null && adviceByCode.get(code)) ||
    'Check host, port and firewall, and whether the server requires TLS (ssl-mode=REQUIRED) or does not support it.'
  )
}

/**
 * An error that says why no connection could be made, and what to check. `place` names the database without its
 * password.
 */
export const connectionError = (place: string, error: unknown): QuerentError =>
  describeNetworkError(place, error, adviceFor(error))
