import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import { isDataFile } from '../connectors/duckdb/source.ts'

/** What a stored index was made from. It can be used again as long as this has not changed. */
export interface IndexVersion {
  /** Changes with tables, columns, types, keys and comments. */
  readonly schema: string
  /** One for each table by name: if it changes, the table's profile cannot be used. */
  readonly tables: Readonly<Record<string, string>>
  /** Size and time of the file, and of its write-ahead log; null for a server. */
  readonly file: string | null
}

/** The schema's part of the version. The catalog's own fingerprint leaves comments out, but prompts show them. */
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

/** The tables' parts of the version, from an introspected catalog. Comments and row counts are not part of it. */
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
 * The file's part of the version, or that of all data files in a folder. Writes can go to the log beside the file
 * (`-wal` for SQLite, `.wal` for DuckDB), and leave the file itself unchanged.
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

/**
 * The files of a folder that are its tables, in a fixed order; null if it is not a folder. A log beside them
 * changes nothing.
 */
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

/** How old an index can be before it is measured again, and how soon failed measurements are tried again. */
export interface RefreshPolicy {
  readonly maxAgeMs: number
  readonly retryMs: number
}

/** What is known about a stored index. `sameFile` is null for a server, which has no file that shows changes. */
export interface IndexState {
  readonly catalog: Catalog
  readonly savedAt: Date
  readonly measuredAt: Date
  readonly sameSchema: boolean
  readonly sameFile: boolean | null
}

/**
 * What to do with a stored index. `all` measures everything again; `changed` only the tables that have changed;
 * `missing` only those without a profile. `before`: it cannot be used until that is done. `behind`: it can be used
 * meanwhile.
 */
export type RefreshDecision =
  | { readonly refresh: 'none' }
  | { readonly refresh: 'all' | 'changed' | 'missing'; readonly when: 'before' | 'behind' }

/**
 * An index older than this many times its maximum age is not used, even if commands were always too short to
 * update it.
 */
const expiryFactor = 7

/** The most that clocks of two machines can differ. A time further ahead was written while a clock was wrong. */
const maxClockSkewMs = 60_000

/**
 * Decides what to do with a stored index. If the schema or a file has changed, it is updated before it is used,
 * since tables may be gone. If it is only old, it is updated in the background.
 */
export const decideRefresh = (
  state: IndexState,
  { maxAgeMs, retryMs }: RefreshPolicy,
  now: Date,
): RefreshDecision => {
  const age = now.getTime() - state.measuredAt.getTime()
  const sinceSaved = now.getTime() - state.savedAt.getTime()
  const isAhead = Math.min(age, sinceSaved) < -maxClockSkewMs
  if (isAhead || state.sameFile === false) return { refresh: 'all', when: 'before' }
  const ages = state.sameFile === null
  if (ages && age >= maxAgeMs * expiryFactor) return { refresh: 'all', when: 'before' }
  if (!state.sameSchema) return { refresh: 'changed', when: 'before' }
  if (ages && age >= maxAgeMs) return { refresh: 'all', when: 'behind' }
  const { tables } = state.catalog
  const missing = tables.filter(table => !isProfiled(table)).length
  if (missing === 0 || sinceSaved < retryMs) return { refresh: 'none' }
  return { refresh: 'missing', when: missing === tables.length ? 'before' : 'behind' }
}

/** Whether a table has been measured. One without columns, or with only masked ones, has nothing to measure. */
export const isProfiled = ({ columns }: Catalog['tables'][number]): boolean =>
  columns.every(({ masked }) => masked === true) || columns.some(({ profile }) => profile !== null)
