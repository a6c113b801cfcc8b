import { readFileSync } from 'node:fs'
import type { ConnectionOptions, SslOptions } from 'mysql2'
import { QuerentError } from '../../../core/errors.ts'

const sslModes = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
const knownParameters = ['ssl-mode', 'ssl-ca', 'socket']

const wrong = (message: string): QuerentError => new QuerentError('unknown-database', message)

const readAuthority = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(`ssl-ca names a file that cannot be read: ${(error as NodeJS.ErrnoException).code ?? file}.`)
  }
}

/** The modes of the mysql client; naming an authority means that it is to be checked. */
const readSsl = (parameters: URLSearchParams): SslOptions | null => {
  const authority = parameters.get('ssl-ca')
  const mode = (parameters.get('ssl-mode') ?? (authority === null ? 'DISABLED' : 'VERIFY_CA')).toUpperCase()
  const ca = authority === null ? {} : { ca: readAuthority(authority) }
  switch (mode) {
    case 'DISABLED':
      return null
    case 'REQUIRED':
      return { ...ca, rejectUnauthorized: authority !== null }
    case 'VERIFY_CA':
      return { ...ca, rejectUnauthorized: true }
    case 'VERIFY_IDENTITY':
      return { ...ca, rejectUnauthorized: true, verifyIdentity: true }
    default:
      throw wrong(`ssl-mode is one of ${sslModes.join(', ')}.`)
  }
}

/**
 * How to connect, from `mysql://USER:PASSWORD@HOST:PORT/DATABASE` with `ssl-mode`, `ssl-ca` and `socket` behind a `?`.
 * Throws `QuerentError('unknown-database')` where the address says something else.
 */
export const connectionOptions = (
  address: string,
  { connectMilliseconds }: { readonly connectMilliseconds: number },
): ConnectionOptions => {
  const url = new URL(address.replace(/^mariadb:/i, 'mysql:'))
  const unknown = [...url.searchParams.keys()].find(name => !knownParameters.includes(name))
  if (unknown !== undefined)
    throw wrong(
      `A mysql:// address takes ${knownParameters.join(', ')} behind its ?, but not ${JSON.stringify(unknown.slice(0, 40))}.`,
    )
  const ssl = readSsl(url.searchParams)
  const socketPath = url.searchParams.get('socket')
  return {
    ...(socketPath === null
      ? { host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(url.port || 3306) }
      : { socketPath }),
    ...(url.username !== '' && { user: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(ssl && { ssl }),
    connectTimeout: connectMilliseconds,
    connectAttributes: { program_name: 'querent' },
    // What values.ts expects.
    rowsAsArray: true,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    typeCast: (field, next) => (field.type === 'GEOMETRY' ? field.buffer() : next()),
    // Names of columns come from databases that we do not trust: no code is made of them.
    disableEval: true,
    // The server may ask for any file of this machine. Without a factory for such streams the driver sends none.
    flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS', '-IGNORE_SPACE'],
    multipleStatements: false,
  }
}
