import type { QuerentError } from '../../../core/errors.ts'
import { codeOf, describeNetworkError, networkErrorHints } from '../network-failure.ts'
import { isServerError } from './error-class.ts'

const untrusted =
  'The server’s certificate is not trusted: name its authority with sslrootcert=FILE in the address, or take any with sslmode=no-verify.'

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ...networkErrorHints,
  [
    'ECONNRESET',
    'The server hung up: check that it is a Postgres server, and whether it wants TLS (sslmode=require).',
  ],
  ['ENOENT', 'There is no such socket: check the folder of the socket, and that the server is running.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ['28P01', 'Check user and password.'],
  ['28000', 'The server does not let this user in from here: check the user and the server’s pg_hba.conf.'],
  ['3D000', 'There is no such database on that server: check its name.'],
  ['53300', 'The server has no connection left: close some, or raise max_connections.'],
  ['57P03', 'The server is starting up or shutting down: try again in a moment.'],
])

/** Why no connection could be made, in words that say what to check. `place` names the database without its password. */
export const connectionError = (place: string, error: unknown): QuerentError => {
  const code = codeOf(error)
  const advice =
    (code !== null && adviceByCode.get(code)) ||
    (isServerError(error)
      ? 'Check the settings of the connection.'
      : 'Check host, port and firewall, and whether the server wants TLS (sslmode=require) or knows none.')
  return describeNetworkError(place, error, advice)
}
