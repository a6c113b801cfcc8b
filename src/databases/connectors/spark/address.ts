import { readFileSync } from 'node:fs'
import { QuerentError } from '../../../domain/errors.ts'

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

const wrong = (message: string): QuerentError => new QuerentError('unknown-database', message)

const readAuthority = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    throw wrong(`ca names a file that cannot be read: ${(error as NodeJS.ErrnoException).code ?? file}.`)
  }
}

/**
 * Reads `spark://USER:PASSWORD@HOST:PORT/SCHEMA` and `databricks://token:TOKEN@HOST/CATALOG/SCHEMA?path=/sql/1.0/...`.
 * Both go over HTTPS. Throws `QuerentError('unknown-database')` for what it does not know.
 */
export const readSparkAddress = (address: string): SparkAddress => {
  const url = new URL(address)
  const parameters = url.searchParams
  const unknown = [...parameters.keys()].find(name => !knownParameters.includes(name))
  const kind = url.protocol === 'databricks:' ? 'databricks' : 'spark'
  if (unknown !== undefined)
    throw wrong(
      `A ${kind}:// address takes ${knownParameters.join(', ')} behind its ?, but not ${JSON.stringify(unknown.slice(0, 40))}.`,
    )
  const path = parameters.get('path')
  if (kind === 'databricks' && path === null)
    throw wrong(
      'A databricks:// address needs the path of a warehouse, which its connection details show: path=/sql/1.0/warehouses/ID.',
    )
  const parts = url.pathname.slice(1).split('/').filter(Boolean).map(decodeURIComponent)
  if (parts.length > 2) throw wrong(`A ${kind}:// address ends with /CATALOG/SCHEMA.`)
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
