import { resolve } from 'node:path'
import { QuerentError } from '../domain/errors.ts'
import type { DatabaseLocation } from '../sql/sql-dialect.ts'

/** The schemes that can be opened, as they are shown to people. */
const databaseSchemes = [
  'sqlite:PATH',
  'duckdb:PATH',
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  'mysql://USER:PASSWORD@HOST:PORT/DATABASE',
] as const

const schemeList = `Write one of: ${databaseSchemes.join(', ')}.`

// sqlite:data.db, sqlite:/var/data.db and, as other tools write it, sqlite:///var/data.db
const plainPath = (path: string): string => path.replace(/^\/\/(?=\/)/, '')

const parseDuckdb = (path: string, baseFolder: string): DatabaseReference => {
  const plain = plainPath(path)
  if (plain === '' || plain === ':memory:')
    throw new QuerentError(
      'unknown-database',
      'duckdb: needs the path of a DuckDB database, of a CSV, Parquet or JSON file, or of a folder of such files, for instance duckdb:exports.',
    )
  return { kind: 'duckdb', name: `duckdb:${plain}`, path: resolve(baseFolder, plain) }
}

const parseSqlite = (path: string, baseFolder: string): DatabaseReference => {
  const plain = plainPath(path)
  if (plain === '' || plain === ':memory:')
    throw new QuerentError(
      'unknown-database',
      'sqlite: needs the path of a file, for instance sqlite:shop.sqlite.',
    )
  return { kind: 'sqlite', name: `sqlite:${plain}`, file: resolve(baseFolder, plain) }
}

/** User, host, port and database; neither password nor query, where sslpassword and the like may stand. */
const nameOf = (kind: 'postgres' | 'mysql', url: URL): string => {
  const user = url.username === '' ? '' : `${url.username}@`
  const socket = url.searchParams.get(kind === 'postgres' ? 'host' : 'socket')
  return `${kind}://${user}${url.host === '' && socket !== null ? socket : url.host}${url.pathname}`
}

/** Where a / ? or # of the password ended the part with user and host, the real host comes behind an @ further on. */
const isTruncatedUrl = ({ pathname, search, hash, username }: URL): boolean =>
  `${pathname}${hash}`.includes('@') || (username === '' && search.includes('@'))

const parseServer = (kind: 'postgres' | 'mysql', text: string): DatabaseReference => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || isTruncatedUrl(url)) {
    // The text is not repeated: what makes it unreadable is often a special character in the password.
    throw new QuerentError(
      'unknown-database',
      `The ${kind}:// address cannot be read. ${schemeList} Special characters in user or password are written as in an address: %40 for @, %2F for /, %23 for #.`,
    )
  }
  if (kind === 'mysql' && url.pathname.length < 2)
    throw new QuerentError(
      'unknown-database',
      'A mysql:// address needs the name of a database: mysql://USER:PASSWORD@HOST:PORT/DATABASE.',
    )
  const reference = { kind, name: nameOf(kind, url), url: text } as const
  return Object.defineProperty(reference, 'url', { enumerable: false })
}

/**
 * Reads a reference to a database. Relative paths are resolved against `baseFolder`. Throws
 * `QuerentError('unknown-database')` for anything else, with the schemes that there are.
 */
export const parseDatabaseReference = (
  text: string,
  { baseFolder }: { readonly baseFolder: string },
): DatabaseReference => {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'sqlite':
      return parseSqlite(text.slice('sqlite:'.length), baseFolder)
    case 'duckdb':
      return parseDuckdb(text.slice('duckdb:'.length), baseFolder)
    case 'postgres':
    case 'postgresql':
      return parseServer('postgres', text)
    case 'mysql':
    case 'mariadb':
      return parseServer('mysql', text)
    case undefined:
      throw new QuerentError(
        'unknown-database',
        `There is no database called ${JSON.stringify(text)} in the configuration, and it is no reference to one either. ${schemeList}`,
      )
    default:
      throw new QuerentError('unknown-database', `Databases with ${scheme}: cannot be opened. ${schemeList}`)
  }
}

/**
 * A database as it was named in words: `sqlite:PATH`, `duckdb:PATH`, `postgres://...` or `mysql://...`, read and resolved. `name` is how it is
 * called in messages and logs: it never holds a password. `url` may; it is not enumerable, so that it is left
 * out when the reference is logged or written as JSON.
 */
export type DatabaseReference =
  | { readonly kind: 'sqlite'; readonly name: string; readonly file: string }
  /** A DuckDB database, a CSV, Parquet or JSON file, or a folder of such files. */
  | { readonly kind: 'duckdb'; readonly name: string; readonly path: string }
  | { readonly kind: 'postgres'; readonly name: string; readonly url: string }
  /** MySQL or MariaDB: the server says which. */
  | { readonly kind: 'mysql'; readonly name: string; readonly url: string }

/** Where the connector of a reference finds its database. */
export const locationOf = (reference: DatabaseReference): DatabaseLocation => {
  const { name } = reference
  if ('file' in reference) return { location: reference.file, name }
  return { location: 'path' in reference ? reference.path : reference.url, name }
}
