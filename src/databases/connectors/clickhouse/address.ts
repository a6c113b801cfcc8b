import { readFileSync } from 'node:fs'
import { QuerentError } from '../../../domain/errors.ts'

/** What a `clickhouse://` address says. */
export interface ClickhouseAddress {
  /** `https://host:8443`. */
  readonly origin: string
  readonly user: string
  readonly password: string
  readonly database: string
  /** Certificates of authorities to trust besides the system's. */
  readonly authority: Buffer | null
  /** Rows that one statement may read; null for no limit but the server's own. */
  readonly maxScanRows: number | null
}

const knownParameters = ['tls', 'ca', 'maxScanRows']

const wrong = (message: string): QuerentError => new QuerentError('unknown-database', message)

const readAuthority = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    throw wrong(`ca names a file that cannot be read: ${(error as NodeJS.ErrnoException).code ?? file}.`)
  }
}

/**
 * Reads `clickhouse://USER:PASSWORD@HOST:PORT/DATABASE`, where the port is that of HTTP. Throws
 * `QuerentError('unknown-database')` for parameters that it does not know.
 */
export const readClickhouseAddress = (address: string): ClickhouseAddress => {
  const url = new URL(address)
  const parameters = url.searchParams
  const unknown = [...parameters.keys()].find(name => !knownParameters.includes(name))
  if (unknown !== undefined)
    throw wrong(
      `A clickhouse:// address takes ${knownParameters.join(', ')} behind its ?, but not ${JSON.stringify(unknown.slice(0, 40))}.`,
    )
  const authorityFile = parameters.get('ca')
  const tls =
    parameters.get('tls') ?? String(url.port === '443' || url.port === '8443' || authorityFile !== null)
  if (tls !== 'true' && tls !== 'false') throw wrong('tls is true or false.')
  const rows = parameters.get('maxScanRows')
  if (rows !== null && !/^[1-9]\d*$/.test(rows)) throw wrong('maxScanRows is a number of rows.')
  return {
    origin: `${tls === 'true' ? 'https' : 'http'}://${url.hostname}:${url.port || (tls === 'true' ? 8443 : 8123)}`,
    user: url.username === '' ? 'default' : decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.length > 1 ? decodeURIComponent(url.pathname.slice(1)) : 'default',
    authority: authorityFile === null ? null : readAuthority(authorityFile),
    maxScanRows: rows === null ? null : Number(rows),
  }
}
