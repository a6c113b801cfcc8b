import { resolve } from 'node:path'
import { QuerentError } from '../domain/errors.ts'
import { databaseDialects } from '../sql/dialects.ts'
import type { DatabaseDialect, DatabaseLocation, FileAddress, ServerAddress } from '../sql/sql-dialect.ts'

/**
 * A database named by its address. `name` is how it appears in messages and logs, without a password. The location of a
 * server may hold one, so it is not enumerable and stays out of logs and JSON.
 */
export interface DatabaseReference extends DatabaseLocation {
  readonly dialect: DatabaseDialect['name']
}

const formOf = ({ address }: DatabaseDialect): string =>
  address.kind === 'file'
    ? `${address.scheme}:PATH`
    : (address.form ?? `${address.scheme}://USER:PASSWORD@HOST:PORT/DATABASE`)

const filesFirst = ['file', 'server'].flatMap(kind =>
  databaseDialects.filter(({ address }) => address.kind === kind),
)

const schemeList = `Write one of: ${filesFirst.map(formOf).join(', ')}.`

// sqlite:data.db, sqlite:/var/data.db and, as other tools write it, sqlite:///var/data.db
const plainPath = (path: string): string => path.replace(/^\/\/(?=\/)/, '')

const parseFile = (
  text: string,
  { scheme, needsPath }: FileAddress,
  baseFolder: string,
): DatabaseLocation => {
  const plain = plainPath(text.slice(`${scheme}:`.length))
  if (plain === '' || plain === ':memory:') throw new QuerentError('unknown-database', needsPath)
  return { name: `${scheme}:${plain}`, location: resolve(baseFolder, plain) }
}

/** User, host, port and database; neither password nor query, which can hold sslpassword and the like. */
const nameOf = (url: URL, { scheme, socketParameter }: ServerAddress): string => {
  const user = url.username === '' ? '' : `${url.username}@`
  const socket = url.searchParams.get(socketParameter)
  return `${scheme}://${user}${url.host === '' && socket !== null ? socket : url.host}${url.pathname}`
}

/** True if a / ? or # in the password ended the part with user and host, so that the host is behind a later @. */
const isTruncatedUrl = ({ pathname, search, hash, username }: URL): boolean =>
  `${pathname}${hash}`.includes('@') || (username === '' && search.includes('@'))

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const parseServer = (text: string, address: ServerAddress): DatabaseLocation => {
  const { scheme, needsDatabase } = address
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || isTruncatedUrl(url)) {
    // The text is not repeated: what makes it unreadable is often a special character in the password.
    throw new QuerentError(
      'unknown-database',
      `The ${scheme}:// address cannot be read. ${schemeList} Escape special characters in the user or password: %40 for @, %2F for /, %23 for #.`,
    )
  }
  if (![url.username, url.password, url.hostname, url.pathname].every(isDecodable))
    throw new QuerentError(
      'unknown-database',
      `The ${scheme}:// address has a % that is not followed by two hexadecimal digits. Write %25 for a % in the user, the password or the name of the database.`,
    )
  if (needsDatabase && url.pathname.length < 2)
    throw new QuerentError(
      'unknown-database',
      `A ${scheme}:// address needs the name of a database: ${scheme}://USER:PASSWORD@HOST:PORT/DATABASE.`,
    )
  return { name: nameOf(url, address), location: text }
}

/**
 * Parses the address of a database. Relative paths are resolved against `baseFolder`. Throws
 * `QuerentError('unknown-database')` for anything else, and lists the schemes.
 */
export const parseDatabaseReference = (
  text: string,
  { baseFolder }: { readonly baseFolder: string },
): DatabaseReference => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined)
    throw new QuerentError(
      'unknown-database',
      `The configuration has no database called ${JSON.stringify(text)}, and it is not an address either. ${schemeList}`,
    )
  const dialect = databaseDialects.find(
    ({ address }) =>
      address.scheme === scheme || (address.kind === 'server' && address.aliases.includes(scheme)),
  )
  if (dialect === undefined)
    throw new QuerentError('unknown-database', `Querent cannot open ${scheme}: databases. ${schemeList}`)
  const { name, address } = dialect
  if (address.kind === 'file') return { dialect: name, ...parseFile(text, address, baseFolder) }
  const server = { dialect: name, ...parseServer(text, address) }
  return Object.defineProperty(server, 'location', { enumerable: false })
}
