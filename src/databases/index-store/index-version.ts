import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import { isDataFile } from '../connectors/duckdb/source.ts'

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

/** How old an index may become before it is read anew, and how soon what could not be read is tried again. */
export interface RefreshPolicy {
  readonly maxAgeMs: number
  readonly retryMs: number
}

/** What is known of a stored index at a moment. `sameFile` is null for a server, where no file tells of changes. */
export interface IndexState {
  readonly catalog: Catalog
  readonly savedAt: Date
  readonly measuredAt: Date
  readonly sameSchema: boolean
  readonly sameFile: boolean | null
}

/**
 * What to do with a stored index. `all` measures everything anew; `changed` only the tables that are not what they
 * were; `missing` only those without a profile. `before`: it must not be used until that is done. `behind`: it is
 * good enough to be used meanwhile.
 */
export type RefreshDecision =
  | { readonly refresh: 'none' }
  | { readonly refresh: 'all' | 'changed' | 'missing'; readonly when: 'before' | 'behind' }

/**
 * An index older than so many times its age is not used any more, however often commands were too short to bring it
 * up to date.
 */
const expiryFactor = 7

/** Clocks of two machines may differ by so much. What is further ahead was written while a clock was wrong. */
const maxClockSkewMs = 60_000

/**
 * Judges a stored index. Another schema is worked on before anything is asked, since tables may be gone; so are a
 * changed file's rows. Age alone is worked on behind the back of questions.
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

/** Whether a table has been measured; one without columns, or with masked ones alone, has nothing to measure. */
export const isProfiled = ({ columns }: Catalog['tables'][number]): boolean =>
  columns.every(({ masked }) => masked === true) || columns.some(({ profile }) => profile !== null)
