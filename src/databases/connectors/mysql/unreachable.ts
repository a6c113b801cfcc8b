import type { QuerentError } from '../../../core/errors.ts'
import { codeOf, describeNetworkError, networkErrorHints } from '../network-failure.ts'
import { isServerError } from './error-class.ts'

const untrusted =
  'The server’s certificate is not trusted: name its authority with ssl-ca=FILE in the address, or encrypt without checking it with ssl-mode=REQUIRED.'

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  ['ECONNRESET', 'The server hung up: check that it is a MySQL or MariaDB server.'],
  ['PROTOCOL_CONNECTION_LOST', 'The server hung up: check that it is a MySQL or MariaDB server.'],
  ['ENOENT', 'There is no such socket: check its path, and that the server is running.'],
  ['EACCES', 'The socket may not be opened: check who may read and write it.'],
  [
    'HANDSHAKE_NO_SSL_SUPPORT',
    'The server knows no TLS: leave ssl-mode out of the address, or give it a certificate.',
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host name: check the address.'],
  ['CERT_HAS_EXPIRED', 'The server’s certificate has expired: have it renewed.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
])

const adviceByNumber: ReadonlyMap<number, string> = new Map([
  [1045, 'Check user and password, and that this user may log in from here.'],
  [1698, 'The server lets this user in only over its own socket: make a user with a password.'],
  [1130, 'The server lets nobody in from this host: check for whom the user was made.'],
  [1044, 'This user may not read that database: grant it SELECT there.'],
  [1049, 'There is no such database on that server: check its name.'],
  [1040, 'The server has no connection left: close some, or raise max_connections.'],
  [1203, 'This user has no connection left: close some, or raise max_user_connections.'],
  [1129, 'The server has shut out this host after failed attempts: run FLUSH HOSTS there.'],
  [1251, 'The server wants another way of logging in: give the user a password with caching_sha2_password.'],
  [3159, 'The server takes encrypted connections only: add ?ssl-mode=REQUIRED to the address.'],
  [1820, 'The password has expired: set a new one.'],
])

const adviceFor = (error: unknown): string => {
  if (isServerError(error)) return adviceByNumber.get(error.errno) ?? 'Check the settings of the connection.'
  const code = codeOf(error)
  return (
    (code !== null && adviceByCode.get(code)) ||
    'Check host, port and firewall, and whether the server wants TLS (ssl-mode=REQUIRED) or knows none.'
  )
}

/** Why no connection could be made, in words that say what to check. `place` names the database without its password. */
export const connectionError = (place: string, error: unknown): QuerentError =>
  describeNetworkError(place, error, adviceFor(error))
