import { readFileSync } from 'node:fs'
import { refuseUnknownParameters, wrongAddress } from '../http/read-address.ts'

/** A schema of a database; all of the database's schemas if `schema` is null. Names are as they are stored. */
export interface SnowflakePlace {
  readonly database: string
  readonly schema: string | null
}

/** How the account knows who asks. */
export type SnowflakeLogin =
  /** A private key, whose public half the user has in Snowflake. */
  | { readonly kind: 'key'; readonly pem: string; readonly passphrase: string | null }
  | { readonly kind: 'oauth' | 'access-token'; readonly token: string }

/** What a `snowflake://` address says. */
export interface SnowflakeAddress {
  /** `https://myorg-shop.snowflakecomputing.com`. */
  readonly origin: string
  /** The account as tokens that are signed with a key name it. */
  readonly account: string
  readonly user: string
  readonly login: SnowflakeLogin
  /** What is found without a database. */
  readonly home: SnowflakePlace
  /** What else is asked about, named with its schema or its database. */
  readonly others: readonly SnowflakePlace[]
  readonly warehouse: string | null
  readonly role: string | null
}

const knownParameters = ['warehouse', 'role', 'privateKeyFile', 'auth', 'also', 'account']

const domains = /\.snowflakecomputing\.(?:com|cn)$/

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)

/** A name as Snowflake stores it: upper case, unless it stands in double quotes. */
const storedName = (text: string): string =>
  /^".+"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text.toUpperCase()

const readPlace = (text: string): SnowflakePlace => {
  const [, database, schema = null] =
    /^("(?:[^"]|"")+"|[^".]+)(?:\.("(?:[^"]|"")+"|[^".]+))?$/.exec(text) ?? []
  if (database === undefined)
    throw wrongAddress(
      `also names databases and schemas, such as also=CRM,SHOP.WEB, but not ${JSON.stringify(text.slice(0, 40))}.`,
    )
  return { database: storedName(database), schema: schema === null ? null : storedName(schema) }
}

const readKey = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrongAddress(
      `privateKeyFile names a file that cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'no reason given'}.`,
    )
  }
}

const readLogin = (url: URL): SnowflakeLogin => {
  const secret = url.password === '' ? null : decodeURIComponent(url.password)
  const file = url.searchParams.get('privateKeyFile')
  const auth = url.searchParams.get('auth') ?? (file === null ? 'token' : 'key')
  if (auth === 'key') {
    if (file === null) throw wrongAddress('auth=key needs the file of the private key: privateKeyFile=FILE.')
    return { kind: 'key', pem: readKey(file), passphrase: secret }
  }
  if (auth !== 'token' && auth !== 'oauth') throw wrongAddress('auth is key, token or oauth.')
  if (secret === null || file !== null)
    throw wrongAddress(
      'Give Snowflake a programmatic access token in place of a password, or privateKeyFile=FILE for a key pair.',
    )
  return { kind: auth === 'oauth' ? 'oauth' : 'access-token', token: secret }
}

/** Where requests go: only to this machine without encryption. */
const readOrigin = ({ hostname, port }: URL): string => {
  const host = decodeURIComponent(hostname).toLowerCase()
  if (isLoopback(host)) return port === '' ? `https://${host}` : `http://${host}:${port}`
  if (!/^[a-z0-9_.-]+$/.test(host))
    throw wrongAddress('The host of a snowflake:// address is the account, such as MYORG-SHOP.')
  // Hosts have hyphens where names of accounts have underscores.
  const full = domains.test(host) ? host : `${host.replaceAll('_', '-')}.snowflakecomputing.com`
  return `https://${full}${port === '' ? '' : `:${port}`}`
}

/** Without the region, which is part of old names of accounts. */
const readAccount = (url: URL): string =>
  (url.searchParams.get('account') ?? decodeURIComponent(url.hostname)).replace(/\..*$/, '').toUpperCase()

/**
 * Reads `snowflake://USER:TOKEN@ACCOUNT/DATABASE/SCHEMA` and its parameters. With `privateKeyFile` the password is the
 * passphrase of the key. Throws `QuerentError('unknown-database')` for what it does not know.
 */
export const readSnowflakeAddress = (address: string): SnowflakeAddress => {
  const url = new URL(address)
  refuseUnknownParameters(url, knownParameters)
  const [database = '', schema = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent)
  if (database === '' || rest.length > 0)
    throw wrongAddress('A snowflake:// address ends with /DATABASE or /DATABASE/SCHEMA.')
  if (url.username === '')
    throw wrongAddress('A snowflake:// address names a user: snowflake://USER:TOKEN@ACCOUNT/DATABASE.')
  const named = (parameter: string): string | null => {
    const value = url.searchParams.get(parameter)
    return value === null || value === '' ? null : storedName(value)
  }
  return {
    origin: readOrigin(url),
    account: readAccount(url),
    user: decodeURIComponent(url.username),
    login: readLogin(url),
    home: { database: storedName(database), schema: schema === '' ? null : storedName(schema) },
    others: (url.searchParams.get('also') ?? '').split(',').filter(Boolean).map(readPlace),
    warehouse: named('warehouse'),
    role: named('role'),
  }
}
