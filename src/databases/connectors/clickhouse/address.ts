import { readAuthority, readTls, refuseUnknownParameters, wrongAddress } from '../http/read-address.ts'

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

/**
 * Reads `clickhouse://USER:PASSWORD@HOST:PORT/DATABASE`, where the port is that of HTTP. Throws
 * `QuerentError('unknown-database')` for parameters that it does not know.
 */
export const readClickhouseAddress = (address: string): ClickhouseAddress => {
  const url = new URL(address)
  const parameters = url.searchParams
  refuseUnknownParameters(url, knownParameters)
  const authorityFile = parameters.get('ca')
  const tls = readTls(url)
  const rows = parameters.get('maxScanRows')
  if (rows !== null && !/^[1-9]\d*$/.test(rows)) throw wrongAddress('maxScanRows is a number of rows.')
  return {
    origin: `${tls ? 'https' : 'http'}://${url.hostname}:${url.port || (tls ? 8443 : 8123)}`,
    user: url.username === '' ? 'default' : decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.length > 1 ? decodeURIComponent(url.pathname.slice(1)) : 'default',
    authority: authorityFile === null ? null : readAuthority(authorityFile),
    maxScanRows: rows === null ? null : Number(rows),
  }
}
