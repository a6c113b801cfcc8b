import { readTls, refuseUnknownParameters, wrongAddress } from '../http/read-address.ts'

/** A schema of a catalog; all of the catalog's schemas if `schema` is null. */
export interface TrinoPlace {
  readonly catalog: string
  readonly schema: string | null
}

/** What a `trino://` address says. */
export interface TrinoAddress {
  /** `https://host:8443`. */
  readonly origin: string
  readonly user: string
  readonly password: string | null
  /** How the password is sent: as one, or as a token of the bearer. */
  readonly auth: 'password' | 'token'
  /** A file with certificates of authorities to trust. */
  readonly authorityFile: string | null
  /** What is found without a catalog; null if the address names none. */
  readonly home: TrinoPlace | null
  /** What else is asked about, named with its catalog: other schemas, and other catalogs. */
  readonly others: readonly TrinoPlace[]
  /** A role of the home catalog, and of the others; null for the user's own. */
  readonly role: string | null
  /** Bytes that one statement may read from storage; null for no limit but the server's own. */
  readonly maxScanBytes: number | null
}

const knownParameters = ['tls', 'ca', 'auth', 'also', 'role', 'maxScanBytes']

const readPlace = (text: string): TrinoPlace => {
  const [catalog = '', schema = null, ...rest] = text.split('.')
  if (catalog === '' || schema === '' || rest.length > 0)
    throw wrongAddress(
      `also names catalogs and schemas, such as also=events,crm.public, but not ${JSON.stringify(text.slice(0, 40))}.`,
    )
  return { catalog, schema }
}

/**
 * Reads `trino://USER:PASSWORD@HOST:PORT/CATALOG/SCHEMA` and its parameters. Throws `QuerentError('unknown-database')`
 * for what it does not know.
 */
export const readTrinoAddress = (address: string): TrinoAddress => {
  const url = new URL(address)
  const parameters = url.searchParams
  refuseUnknownParameters(url, knownParameters)
  const [catalog = '', schema = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent)
  if (rest.length > 0) throw wrongAddress('A trino:// address ends with /CATALOG/SCHEMA.')
  const password = url.password === '' ? null : decodeURIComponent(url.password)
  const authorityFile = parameters.get('ca')
  const tls = readTls(url)
  const auth = parameters.get('auth') ?? 'password'
  if (auth !== 'password' && auth !== 'token') throw wrongAddress('auth is password or token.')
  if (password !== null && !tls)
    throw wrongAddress(
      'A password goes to Trino only over an encrypted connection: add tls=true to the address.',
    )
  const scanned = parameters.get('maxScanBytes')
  if (scanned !== null && !/^[1-9]\d*$/.test(scanned))
    throw wrongAddress('maxScanBytes is a number of bytes, such as maxScanBytes=1000000000000.')
  return {
    origin: `${tls ? 'https' : 'http'}://${url.hostname}:${url.port || (tls ? 443 : 8080)}`,
    user: url.username === '' ? 'querent' : decodeURIComponent(url.username),
    password,
    auth,
    authorityFile,
    home: catalog === '' ? null : { catalog, schema: schema === '' ? null : schema },
    others: (parameters.get('also') ?? '').split(',').filter(Boolean).map(readPlace),
    role: parameters.get('role'),
    maxScanBytes: scanned === null ? null : Number(scanned),
  }
}
