import { createHash } from 'node:crypto'
import type { Database } from '../../../src/core/database.ts'

/** Databases stay the same object for as long as nothing is known anew of them. */
const versions = new WeakMap<Database, string>()

/**
 * A fingerprint of all that an answer depends on in how a database is known: tables and columns, what of them is hidden
 * or masked, keys, and what the team knows, accepted rules included. Not of its rows.
 */
export const schemaVersion = (database: Database): string => {
  const known = versions.get(database)
  if (known !== undefined) return known
  const { catalog, knowledge, dialect } = database
  const tables = catalog.tables.map(({ schema, name, comment, synonyms, columns }) => [
    ...[schema, name, comment, synonyms],
    columns.map(({ name, type, comment, synonyms, masked }) => [name, type, comment, synonyms, masked]),
  ])
  const version = createHash('sha256')
    .update(JSON.stringify([dialect, catalog.fingerprint, tables, catalog.foreignKeys, knowledge]))
    .digest('base64url')
  versions.set(database, version)
  return version
}
