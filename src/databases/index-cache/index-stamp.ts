import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog, Table } from '../../core/catalog.ts'
import { nameTables } from '../catalog/name-tables.ts'
import { isDataFile } from '../connectors/duckdb/find-source.ts'

/** What a stored index was made from. It may be used again as long as this has not changed. */
export interface IndexVersion {
  /** Changes with tables, columns, types, keys and comments. */
  readonly schema: string
  /** One for each table by its name: what of it, when it changes, makes its profile worthless. */
  readonly tables: Readonly<Record<string, string>>
  /** Size and time of the file, and of its write-ahead log; null for a server. */
  readonly file: string | null
}

/** The schema's part of the stamp. The catalog's own fingerprint leaves comments out, but prompts show them. */
export const schemaVersion = (catalog: Catalog): string =>
  digest([
    catalog.fingerprint,
    catalog.tables.map(table => [
      tableVersion(table),
      table.comment,
      table.columns.map(column => column.comment),
    ]),
    catalog.foreignKeys,
  ])

/** The tables' parts of the stamp, from a catalog as it was introspected. Comments and rows do not enter. */
export const tableVersions = (catalog: Catalog): Readonly<Record<string, string>> => {
  const names = nameTables(catalog)
  return Object.fromEntries(
    catalog.tables.map(table => [names.get(table) ?? table.name, tableVersion(table)]),
  )
}

const tableVersion = (table: Table): string =>
  digest({
    ...table,
    comment: null,
    rowCount: null,
    columns: table.columns.map(column => ({ ...column, comment: null, profile: null })),
  })

const digest = (told: unknown): string => createHash('sha256').update(JSON.stringify(told)).digest('hex')

/**
 * The file's part of the stamp, or that of all files of data in a folder. Writes may go to the log beside the file (`-wal` is
 * SQLite's, `.wal` DuckDB's), and leave the file itself alone.
 */
export const fileVersion = async (file: string): Promise<string> => {
  const inside = await filesIn(file)
  const parts = await Promise.all(
    (inside ?? [file, `${file}-wal`, `${file}.wal`]).map(async path => {
      try {
        const { size, mtimeNs } = await stat(path, { bigint: true })
        if (size === 0n && path !== file) return 'none'
        return inside === null ? `${size}@${mtimeNs}` : `${path} ${size}@${mtimeNs}`
      } catch {
        return 'none'
      }
    }),
  )
  return parts.join(' ')
}

/** The files of a folder that are its tables, in a fixed order; null for what is no folder. A log beside them changes nothing. */
const filesIn = async (path: string): Promise<readonly string[] | null> => {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter(entry => !entry.isDirectory() && isDataFile(entry.name))
      .map(entry => join(path, entry.name))
      .sort()
  } catch {
    return null
  }
}
