import { open, stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { connect } from '../../databases/connect.ts'
import { type DatabaseReference, parseDatabaseReference } from '../../databases/database-reference.ts'
import type { Catalog } from '../../domain/catalog.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { StatementAudit } from '../../domain/operations/audit.ts'
import { databaseDialect, databaseDialects } from '../../sql/dialects.ts'
import type { FileAddress } from '../../sql/sql-dialect.ts'
import { initDatabaseCopy as copy } from '../copy/init.ts'

/** A database that answered. */
export interface ConnectedDatabase {
  readonly address: string
  readonly reference: DatabaseReference
  readonly catalog: Catalog
}

/**
 * Connects to a database, reads the schema and disconnects. Rejects with a `QuerentError` that says what to do, such as about
 * a wrong password, a missing file, or no readable table.
 */
export const connectToAddress = async (
  address: string,
  options: { readonly baseFolder: string; readonly audit: StatementAudit; readonly signal: AbortSignal },
): Promise<ConnectedDatabase> => {
  const reference = parseDatabaseReference(address, options)
  const connector = await connect(reference, { audit: options.audit })
  try {
    const catalog = await connector.measuring.introspect({ signal: options.signal })
    if (catalog.tables.length === 0) throw new QuerentError('unknown-database', noTablesMessage(reference))
    return { address, reference, catalog }
  } finally {
    await connector.close()
  }
}

const noTablesMessage = (reference: DatabaseReference): string => {
  const { name, dialect } = reference
  return databaseDialect(dialect).address.kind === 'file'
    ? copy.emptyFile(name, formatDatabaseKind(reference))
    : copy.nothingReadable(name)
}

/** The name of a kind of database. */
export const formatDatabaseKind = ({ dialect }: DatabaseReference): string => databaseDialect(dialect).label

const fileAddresses = databaseDialects.flatMap(({ address }) => (address.kind === 'file' ? [address] : []))

/**
 * An address for what somebody typed as a database: `~/shop.sqlite` becomes `sqlite:/home/ada/shop.sqlite`, a folder or a
 * file of data `duckdb:...`. For a file that does not exist its name decides. What has a scheme stays as it is.
 */
export const toAddress = async (
  typed: string,
  { baseFolder, home }: { readonly baseFolder: string; readonly home: string },
): Promise<string> => {
  if (/^[a-z][a-z0-9+.-]+:/i.test(typed)) return typed
  const path = resolve(baseFolder, typed.replace(/^~(?=\/|$)/, home))
  return `${await schemeOf(path)}:${path}`
}

const schemeOf = async (path: string): Promise<string> => {
  const claimant =
    (await claimantByContent(path)) ??
    fileAddresses.find(({ claims }) => claims.endings.includes(extname(path).toLowerCase())) ??
    fileAddresses.find(({ isDefault }) => isDefault)
  if (claimant === undefined) throw new Error('No connector reads files.')
  return claimant.scheme
}

const longestSignature = 64

/** The kind of database that reads folders, or whose files begin as this one does. */
const claimantByContent = async (path: string): Promise<FileAddress | undefined> => {
  try {
    const status = await stat(path)
    if (status.isDirectory()) return fileAddresses.find(({ claims }) => claims.folders)
    // Opening a pipe would wait for somebody who writes to it.
    if (!status.isFile()) return undefined
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestSignature), 0, longestSignature, 0)
      const beginning = buffer.toString('latin1', 0, bytesRead)
      return fileAddresses.find(
        ({ claims }) => claims.signature !== null && beginning.startsWith(claims.signature),
      )
    } finally {
      await handle.close()
    }
  } catch {
    // If it cannot be read, opening the database says why.
    return undefined
  }
}

/** Valid names of databases in querent.yml. */
export const namePattern = /^[a-z][a-z0-9_-]*$/i

/** Suggests a name for querent.yml from the name of the database or file. */
export const suggestName = (reference: DatabaseReference): string => {
  const name = nameInReference(reference)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
  return name === '' ? 'main' : name
}

/** Suggests a variable for the address. `QUERENT_...` are reserved. */
export const suggestVariable = (name: string): string => {
  const variable = `${name.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`
  return variable.startsWith('QUERENT_') ? `ASKED_${variable}` : variable
}

const nameInReference = ({ dialect, location }: DatabaseReference): string =>
  databaseDialect(dialect).address.kind === 'file'
    ? basename(location, extname(location))
    : decodeURIComponent(new URL(location).pathname.slice(1))

const withPassword = /^([a-z][a-z0-9+.-]*:\/\/[^:/@]*:)(.*)(@[^@]*)$/i

/** An address with dots instead of its password. */
export const hidePassword = (address: string): string => address.replace(withPassword, '$1•••$3')

/** Whether an address contains a password. */
export const hasPassword = (address: string): boolean => /[^:]$/.test(withPassword.exec(address)?.[2] ?? '')

/** An address with another password, and another user if one is given. */
export const withLogin = (address: string, login: { user?: string; password: string }): string => {
  const url = new URL(address)
  if (login.user !== undefined) url.username = encodeURIComponent(login.user)
  url.password = encodeURIComponent(login.password)
  return url.href
}
