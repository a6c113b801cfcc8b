import type { Catalog } from '../core/catalog.ts'
import type { Connector } from '../core/connector.ts'
import type { Database, IndexProgress } from '../core/database.ts'
import type { Guard } from '../core/guarded-sql.ts'
import { type Log, silentLog } from '../core/log.ts'
import type { RunLimits } from '../core/result.ts'
import { makeAsk } from './catalog/make-ask.ts'
import { profileCatalog } from './catalog/profile-catalog.ts'
import { connect } from './connect.ts'
import type { DatabaseReference } from './database-reference.ts'
import { indexPath, readIndexFile, type StoredIndex, writeIndexFile } from './index-cache/index-file.ts'
import { type IndexStamp, stampFile, stampSchema } from './index-cache/index-stamp.ts'
import { makeRunQuery } from './run.ts'
import { buildValueIndex } from './values/build-value-index.ts'
import { collectValues } from './values/collect-values.ts'
import { openValueIndex, type ValueIndex } from './values/open-value-index.ts'

/** How a database is opened. */
export interface OpenOptions {
  readonly guard: Guard
  /** Caps on the statements of questions. Measuring has wider ones of its own. */
  readonly limits: RunLimits
  /** What the database is called in answers; the reference's own name by default. */
  readonly name?: string
  readonly timeZone?: string
  /** Folder in which catalogs and value indexes are kept from one process to the next; nothing is kept without it. */
  readonly cacheFolder?: string
  /** Under which name it is kept, where the reference says too little or too much: an address that changes, say. */
  readonly cacheName?: string
  readonly log?: Log
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
  readonly now?: () => Date
}

/** An open database, and what its index came to. */
export interface OpenDatabase {
  readonly database: Database
  readonly index: Pick<ValueIndex, 'size' | 'bytes'>
  readonly close: () => Promise<void>
}

/** Caps on a statement that measures: a column's values may be many, but nobody waits for them. */
const measuringLimits: RunLimits = { timeoutMs: 60_000, maxRows: 200_000, maxBytes: 64 * 1024 * 1024 }

/** What a server holds changes without our knowing; a day later its profiles and values are read again. */
const longestAgeMs = 24 * 60 * 60 * 1000

/** Where a table could not be measured, perhaps because the server was busy, it is soon tried again. */
const longestIncompleteAgeMs = 10 * 60 * 1000

/**
 * Opens a database for questions: connects, reads the catalog, profiles it and indexes its values, or takes all that
 * from the cache when the schema is the same, and the file too (SQLite) or less than a day has passed (servers).
 * Rejects with `QuerentError` when there is no such database or it cannot be reached, or when `signal` fires.
 */
export const openDatabase = async (
  reference: DatabaseReference,
  options: OpenOptions,
): Promise<OpenDatabase> => {
  const started = performance.now()
  const { timeZone } = options
  const connector = await connect(reference, timeZone === undefined ? {} : { timeZone })
  try {
    const { catalog, index } = await readOrLoad(connector, reference, options)
    const { guard, limits, name = reference.name } = options
    return {
      database: {
        name,
        dialect: connector.dialect,
        catalog,
        findValues: index.find,
        guard: sql => guard(sql, connector.dialect),
        run: makeRunQuery({ connector, limits }),
        indexMilliseconds: performance.now() - started,
      },
      index,
      close: () => connector.close(),
    }
  } catch (error) {
    await connector.close()
    throw error
  }
}

/** What indexing finds out. */
interface Indexed {
  readonly catalog: Catalog
  readonly index: ValueIndex
}

const readOrLoad = async (
  connector: Connector,
  reference: DatabaseReference,
  options: OpenOptions,
): Promise<Indexed> => {
  const { cacheFolder, timeZone = '', log = silentLog, signal, now = () => new Date() } = options
  const path =
    cacheFolder === undefined
      ? null
      : indexPath(cacheFolder, cacheKey(reference, timeZone, options.cacheName))
  const stored = path === null ? null : await readIndexFile(path)
  const file = reference.kind === 'sqlite' ? await stampFile(reference.file) : null
  const isYoung = stored !== null && isYoungEnough(stored, now())
  if (isYoung && file !== null && stored.stamp.file === file) return fromStored(stored)

  const introspected = await connector.introspect(signal ? { signal } : {})
  const stamp: IndexStamp = { schema: stampSchema(introspected), file }
  if (isYoung && file === null && stored.stamp.schema === stamp.schema) return fromStored(stored)

  const read = await readAnew(connector, introspected, options)
  if (path !== null) {
    const savedAt = now()
    await writeIndexFile(path, { stamp, savedAt, catalog: read.catalog, values: read.index.data }).catch(
      (error: unknown) => log.warn({ error }, 'The index could not be kept for the next time.'),
    )
  }
  return read
}

/** Without the password; with the time zone, since the texts of moments in the profile depend on it. */
const cacheKey = (reference: DatabaseReference, timeZone: string, name?: string): string => {
  const place = reference.kind === 'sqlite' ? reference.file : reference.name
  return JSON.stringify([reference.kind, name ?? place, timeZone])
}

const isYoungEnough = ({ catalog, savedAt, stamp }: StoredIndex, now: Date): boolean => {
  const age = now.getTime() - savedAt.getTime()
  const isComplete = catalog.tables.every(({ columns }) => columns.some(({ profile }) => profile !== null))
  const longest = !isComplete
    ? longestIncompleteAgeMs
    : stamp.file === null
      ? longestAgeMs
      : Number.POSITIVE_INFINITY
  return age >= 0 && age < longest
}

const fromStored = ({ catalog, values }: StoredIndex): Indexed => ({ catalog, index: openValueIndex(values) })

const readAnew = async (
  connector: Connector,
  introspected: Catalog,
  options: OpenOptions,
): Promise<Indexed> => {
  const { guard, signal, onProgress, log = silentLog } = options
  const run = makeRunQuery({ connector, limits: measuringLimits })
  const shared = { guard, log, ...(signal && { signal }) }
  const catalog = await profileCatalog({
    catalog: introspected,
    run,
    ...shared,
    // A process more for SQLite would cost more than it saves; a server is mostly waited for.
    concurrency: connector.dialect === 'sqlite' ? 1 : 3,
    ...(onProgress && { onProgress }),
  })
  const ask = makeAsk({ run, guard, dialect: catalog.dialect })
  const values = await collectValues(catalog, { ...shared, ask: sql => ask(sql, signal) })
  return { catalog, index: buildValueIndex(values) }
}
