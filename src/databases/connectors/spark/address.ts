import { readAuthority, refuseUnknownParameters, wrongAddress } from '../http/read-address.ts'

/** What a `spark://` or `databricks://` address says. */
export interface SparkAddress {
  /** Databricks names its catalogs, and speaks a newer protocol than Spark's own server. */
  readonly kind: 'spark' | 'databricks'
  readonly host: string
  readonly port: number
  /** Path of the endpoint: of a warehouse in Databricks, `/cliservice` in Spark. */
  readonly path: string
  readonly authorization: string
  readonly authority: Buffer | null
  readonly catalog: string | null
  readonly schema: string | null
}

const knownParameters = ['path', 'ca']

/**
 * Reads `spark://USER:PASSWORD@HOST:PORT/SCHEMA` and `databricks://token:TOKEN@HOST/CATALOG/SCHEMA?path=/sql/1.0/...`.
 * Both go over HTTPS. Throws `QuerentError('unknown-database')` for what it does not know.
 */
export const readSparkAddress = (address: string): SparkAddress => {
  const url = new URL(address)
  const parameters = url.searchParams
  refuseUnknownParameters(url, knownParameters)
  const kind = url.protocol === 'databricks:' ? 'databricks' : 'spark'
  const path = parameters.get('path')
  if (kind === 'databricks' && path === null)
    throw wrongAddress(
      'A databricks:// address needs the path of a warehouse, which its connection details show: path=/sql/1.0/warehouses/ID.',
    )
  const parts = url.pathname.slice(1).split('/').filter(Boolean).map(decodeURIComponent)
  if (parts.length > 2) throw wrongAddress(`A ${kind}:// address ends with /CATALOG/SCHEMA.`)
  const [first = null, second = null] = parts
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  const authorityFile = parameters.get('ca')
  return {
    kind,
    host: url.hostname,
    port: Number(url.port || (kind === 'databricks' ? 443 : 10_001)),
    path: path ?? '/cliservice',
    authorization:
      user === 'token'
        ? `Bearer ${password}`
        : `Basic ${Buffer.from(`${user || 'querent'}:${password || 'querent'}`).toString('base64')}`,
    authority: authorityFile === null ? null : readAuthority(authorityFile),
    catalog: second === null ? null : first,
    schema: second ?? first,
  }
}
