import type { Catalog } from '../core/catalog.ts'
import type { Connector } from '../core/connector.ts'
import type { Database, IndexProgress } from '../core/database.ts'
import type { Guard } from '../core/guarded-sql.ts'
import type { IndexReport } from '../core/index-report.ts'
import { type Log, silentLog } from '../core/log.ts'
import type { RunLimits } from '../core/result.ts'
import { connect } from './connect.ts'
import type { DatabaseReference } from './database-reference.ts'
import { indexPath } from './index-cache/index-file.ts'
import { type HeldIndex, type KeptIndex, keepIndex } from './keep-index.ts'
import { makeRunQuery } from './run.ts'
import type { ValueIndex } from './values/open-value-index.ts'

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
  /** How long measuring may take. What it does not reach is left out, and tried again later. */
  readonly timeBudgetMs?: number
  /** A server's index older than this is measured anew, while it is used on. */
  readonly maxAgeMs?: number
  readonly log?: Log
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
  readonly now?: () => Date
}

/** An open database, and what its index came to. */
export interface OpenDatabase {
  /** As it is at this moment: after a refresh, a later look finds another catalog. */
  readonly database: Database
  readonly index: Pick<ValueIndex, 'size' | 'bytes'>
  readonly report: () => IndexReport
  /** Looks whether the index is still good, at most every so often, and brings it up to date behind. */
  readonly freshen: () => void
  /** Measures everything anew and waits for it. Rejects when that fails; the old index is used on then. */
  readonly refresh: (options?: {
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: IndexProgress) => void
  }) => Promise<IndexReport>
  readonly close: () => Promise<void>
}

const usualBudgetMs = 120_000

/** What a server holds changes without our knowing; a day later its profiles and values are read again. */
const usualMaxAgeMs = 24 * 60 * 60 * 1000

/** What could not be measured, perhaps because the server was busy, is soon tried again. */
const retryMs = 10 * 60 * 1000

/** How often a process that stays looks whether a schema has changed. */
const lookEveryMs = 60_000

/**
 * Opens a database for questions: connects, reads the catalog, profiles it and indexes its values, or takes all that
 * from where it was stored. What has changed since then is measured before anything is asked; what is only old is
 * used, and measured anew behind (`keepIndex`). Rejects with `QuerentError` when there is no such database or it
 * cannot be reached, or when `signal` fires.
 */
export const openDatabase = async (
  reference: DatabaseReference,
  options: OpenOptions,
): Promise<OpenDatabase> => {
  const started = performance.now()
  const { timeZone, signal, onProgress } = options
  const connector = await connect(reference, {
    ...(timeZone !== undefined && { timeZone }),
    ...(options.log && { log: options.log }),
  })
  try {
    const work = { ...(signal && { signal }), ...(onProgress && { onProgress }) }
    const kept = await keep(connector, reference, options, work)
    const view = makeView(connector, reference, options, performance.now() - started)
    let milliseconds = performance.now() - started
    return {
      get database() {
        return view(kept.current())
      },
      get index() {
        return kept.current().values
      },
      report: () => reportOf(kept.current(), milliseconds),
      freshen: kept.freshen,
      refresh: async work => {
        const began = performance.now()
        await kept.refresh(work)
        milliseconds = performance.now() - began
        return reportOf(kept.current(), milliseconds)
      },
      close: async () => {
        await kept.stop()
        await connector.close()
      },
    }
  } catch (error) {
    await connector.close()
    throw error
  }
}

const keep = (
  connector: Connector,
  reference: DatabaseReference,
  options: OpenOptions,
  work: Parameters<typeof keepIndex>[1],
): Promise<KeptIndex> => {
  const { cacheFolder, timeZone = '', log = silentLog, now = () => new Date() } = options
  const introspect = (signal?: AbortSignal): Promise<Catalog> =>
    connector.introspect(signal ? { signal } : {})
  return keepIndex(
    {
      connector,
      introspect,
      guard: options.guard,
      log,
      now,
      file: reference.kind === 'sqlite' ? reference.file : null,
      path:
        cacheFolder === undefined
          ? null
          : indexPath(cacheFolder, cacheKey(reference, timeZone, options.cacheName)),
      timeBudgetMs: options.timeBudgetMs ?? usualBudgetMs,
      ages: { maxAgeMs: options.maxAgeMs ?? usualMaxAgeMs, retryMs },
      lookEveryMs,
    },
    work,
  )
}

/** Without the password; with the time zone, since the texts of moments in the profile depend on it. */
const cacheKey = (reference: DatabaseReference, timeZone: string, name?: string): string => {
  const place = reference.kind === 'sqlite' ? reference.file : reference.name
  return JSON.stringify([reference.kind, name ?? place, timeZone])
}

/** Makes the database that questions see of an index: one for each index, so that what is derived of it can be kept. */
const makeView = (
  connector: Connector,
  { name }: DatabaseReference,
  options: OpenOptions,
  indexMilliseconds: number,
): ((index: HeldIndex) => Database) => {
  const views = new WeakMap<HeldIndex, Database>()
  const run = makeRunQuery({ connector, limits: options.limits })
  return index => {
    const known = views.get(index)
    if (known) return known
    const view: Database = {
      name: options.name ?? name,
      dialect: connector.dialect,
      catalog: index.catalog,
      findValues: index.values.find,
      guard: sql => options.guard(sql, connector.dialect),
      run,
      indexMilliseconds,
    }
    views.set(index, view)
    return view
  }
}

const reportOf = (
  { catalog, values, leftOut, measuredAt, isNew }: HeldIndex,
  milliseconds: number,
): IndexReport => ({
  tables: catalog.tables.length,
  columns: catalog.tables.reduce((sum, table) => sum + table.columns.length, 0),
  values: values.size,
  milliseconds: Math.round(milliseconds),
  bytes: values.bytes + values.data.textBytes.byteLength,
  isNew,
  measuredAt,
  leftOut,
  derivedKeys: catalog.foreignKeys.filter(({ source }) => source === 'derived'),
})
