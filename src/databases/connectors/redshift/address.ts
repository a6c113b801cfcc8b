import type pg from 'pg'
import { readAuthority, refuseUnknownParameters, wrongAddress } from '../http/read-address.ts'

/** What a `redshift://` address says, as `pg` takes it. */
export type RedshiftAddress = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'
>

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Reads `redshift://USER:PASSWORD@HOST:5439/DATABASE` and its parameters. The connection is always encrypted and the
 * certificate checked, except on this machine. Throws `QuerentError('unknown-database')` for what it does not know.
 */
export const readRedshiftAddress = (address: string): RedshiftAddress => {
  const url = new URL(address)
  refuseUnknownParameters(url, ['tls', 'ca'])
  const database = decodeURIComponent(url.pathname.slice(1))
  if (database === '' || database.includes('/'))
    throw wrongAddress('A redshift:// address ends with /DATABASE.')
  if (url.username === '')
    throw wrongAddress('A redshift:// address needs a user: redshift://USER:PASSWORD@HOST.')
  const tls = url.searchParams.get('tls') ?? 'true'
  if (tls !== 'true' && tls !== 'false') throw wrongAddress('tls is true or false.')
  if (tls === 'false' && !loopback.has(url.hostname))
    throw wrongAddress(
      'tls=false is for a tunnel on this machine only: a password does not travel unencrypted.',
    )
  const authorityFile = url.searchParams.get('ca')
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 5439),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ssl: tls === 'true' && {
      rejectUnauthorized: true,
      ...(authorityFile !== null && { ca: readAuthority(authorityFile) }),
    },
  }
}
