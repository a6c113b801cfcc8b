import { setTimeout as sleep } from 'node:timers/promises'
import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import type { Connector, IndexProgress, SharedIndexStore } from '../../domain/database.ts'
import { openValueIndex } from '../value-index/value-index.ts'
import { type BuildOptions, type BuiltIndex, buildIndex } from './build-index.ts'
import type { StoredIndex } from './index-file.ts'
import { type IndexStore, makeIndexStore } from './index-store.ts'
import {
  decideRefresh,
  fileVersion,
  type IndexState,
  type IndexVersion,
  isProfiled,
  type RefreshDecision,
  type RefreshPolicy,
  schemaVersion,
  tableVersions,
} from './index-version.ts'
import { openUnfinishedIndex } from './unfinished-index.ts'

/**
 * What managing an index needs. `file` is the database's file, null for a server; `path` is where the index is
 * stored.
 */
interface ManagedIndexOptions
  extends Omit<BuildOptions, 'measured' | 'earlier' | 'values' | 'onProgress' | 'onTable' | 'signal'> {
  readonly introspect: (signal?: AbortSignal) => Promise<Catalog>
  readonly connector: Connector
  readonly file: string | null
  readonly path: string | null
  /** Where processes on other machines find it, and under which key; nowhere if left out. */
  readonly shared?: { readonly indexes: SharedIndexStore; readonly key: string }
  /** What the index leaves out. If that changes, the stored index is not used again. */
  readonly scopeStamp?: string
  /** Whether to wait for the first index of another process that is making it; asked again and again. */
  readonly waitsForOthers?: () => boolean
  readonly ages: RefreshPolicy
  /** How often `refreshIfStale` really checks. */
  readonly checkIntervalMs: number
  readonly now: () => Date
  /** Called when something was measured again after the first time. */
  readonly onMeasured?: (fingerprint: string) => void
}

/** An index in use, with its version and the times when it was made. */
export interface LoadedIndex extends BuiltIndex {
  /** Whether this process measured all of it. */
  readonly isNew: boolean
  readonly stamp: IndexVersion
  readonly savedAt: Date
  readonly measuredAt: Date
}

interface RefreshOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
}

/** An index that updates itself. */
export interface ManagedIndex {
  readonly current: () => LoadedIndex
  /**
   * Checks, at most every `checkIntervalMs`, whether the schema or the age requires a refresh, and refreshes in
   * the background.
   */
  readonly refreshIfStale: () => void
  /** Another process has measured again: takes what it stored if possible, else checks now. */
  readonly invalidate: () => void
  /** Measures everything again, after work that is running. Rejects if it fails or `signal` fires. */
  readonly refresh: (work?: RefreshOptions) => Promise<void>
  /** Cancels running work. */
  readonly stop: () => Promise<void>
}

/**
 * Loads a database's stored index or builds it, and keeps it up to date. What is too old is used while it is
 * measured again, never twice at a time. Of the processes that share a folder or a store only one measures; the
 * others take over its result. If a refresh fails the old index stays in use, and the failure is logged. Rejects
 * if there is no index to begin with.
 */
export const openManagedIndex = async (
  options: ManagedIndexOptions,
  first: RefreshOptions,
): Promise<ManagedIndex> => {
  const { path, shared = null, now, log, ages } = options
  const store = makeIndexStore({ path, shared, log })
  const stopping = new AbortController()
  let underWay: Promise<void> | null = null
  let lookedAt = now().getTime()
  let notBefore = 0

  const { stored, release } = await awaitFirstTurn(
    store,
    options.waitsForOthers ?? (() => false),
    first.signal,
  )
  let held: LoadedIndex
  if (stored === null) held = await buildAndStore(options, store, null, 'all', null, first).finally(release)
  else {
    const found = await checkIndex(options, stored, first.signal)
    held = openStored(stored)
    if (found.verdict.refresh !== 'none' && found.verdict.when === 'before')
      held = await buildAndStore(options, store, held, found.verdict.refresh, found.introspected, first)
    else if (found.verdict.refresh !== 'none') begin(() => refreshBehind())
  }

  /** One at a time. A failure is logged here and nowhere else. */
  function begin(work: () => Promise<void>): void {
    underWay ??= work()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return
        notBefore = now().getTime() + ages.retryMs
        log.warn({ error }, 'The index could not be refreshed. The old one stays in use.')
      })
      .finally(() => {
        underWay = null
      })
  }

  async function refreshBehind(): Promise<void> {
    const { signal } = stopping
    const found = await checkIndex(options, held, signal)
    if (found.verdict.refresh === 'none' || isThrottled(found.state, ages, now())) return
    const release = await store.acquireRefreshLock()
    if (release === null) return
    try {
      const other = await store.latest()
      let verdict: RefreshDecision = found.verdict
      let { introspected } = found
      if (other !== null && other.savedAt > held.savedAt) {
        const looked = await checkIndex(options, other, signal)
        // One that cannot be used before it is updated may be of other settings, and hold what these leave out.
        if (looked.verdict.refresh === 'none' || looked.verdict.when === 'behind') {
          held = openStored(other)
          verdict = looked.verdict
          introspected = looked.introspected
        }
      }
      if (verdict.refresh === 'none') return
      held = await buildAndStore(options, store, held, verdict.refresh, introspected, { signal })
      options.onMeasured?.(held.catalog.fingerprint)
    } finally {
      await release()
    }
  }

  /** A requested build always runs, but the holder of the lock keeps the others from starting. */
  async function buildAll(work: RefreshOptions): Promise<LoadedIndex> {
    const release = await store.acquireRefreshLock()
    try {
      return await buildAndStore(options, store, held, 'all', null, work)
    } finally {
      await release?.()
    }
  }

  async function takeOther(): Promise<void> {
    const other = await store.latest()
    if (other !== null && other.savedAt > held.savedAt) {
      const { verdict } = await checkIndex(options, other, stopping.signal)
      if (verdict.refresh === 'none') {
        held = openStored(other)
        return
      }
    }
    await refreshBehind()
  }

  return {
    current: () => held,
    refreshIfStale: () => {
      const at = now().getTime()
      if (underWay || at < notBefore || at - lookedAt < options.checkIntervalMs) return
      lookedAt = at
      begin(refreshBehind)
    },
    invalidate: () => {
      // Running work may have begun before the other process was done.
      const after = underWay ?? Promise.resolve()
      void after.then(() => begin(takeOther))
    },
    refresh: async work => {
      while (underWay) await underWay
      const signal = work?.signal ? AbortSignal.any([work.signal, stopping.signal]) : stopping.signal
      const building = buildAll({ ...work, signal })
      underWay = building.then(
        () => {},
        () => {},
      )
      try {
        held = await building
        options.onMeasured?.(held.catalog.fingerprint)
      } finally {
        underWay = null
      }
    },
    stop: async () => {
      stopping.abort()
      await underWay
    },
  }
}

/** How often a process that waits for the first index of another one looks for it. */
const otherIndexMs = 500

/**
 * The stored index; if there is none, the lock to build it. Who does not wait for the holder of the lock gets neither,
 * and builds one as well. After the holder died, the lock comes free.
 */
const awaitFirstTurn = async (
  store: IndexStore,
  waitsForOthers: () => boolean,
  signal: AbortSignal | undefined,
): Promise<{ readonly stored: StoredIndex | null; readonly release: () => Promise<void> }> => {
  const release = async (): Promise<void> => {}
  for (;;) {
    const stored = await store.latest()
    if (stored !== null) return { stored, release }
    const lock = await store.acquireRefreshLock()
    if (lock === null && !waitsForOthers()) return { stored, release }
    if (lock === null) {
      await sleep(otherIndexMs, undefined, { ...(signal && { signal }) })
      continue
    }
    // Its last holder may have stored one meanwhile.
    const other = await store.latest()
    if (other === null) return { stored: null, release: lock }
    await lock()
  }
}

/** A file that is written all the time would be measured all the time: changed rows alone are not urgent. */
const isThrottled = (
  { sameFile, sameSchema, savedAt }: IndexState,
  { retryMs }: RefreshPolicy,
  now: Date,
): boolean => sameFile === false && sameSchema && now.getTime() - savedAt.getTime() < retryMs

interface IndexCheck {
  readonly verdict: RefreshDecision
  readonly state: IndexState
  /** Null if the file alone shows that nothing has changed. */
  readonly introspected: Catalog | null
}

const checkIndex = async (
  options: ManagedIndexOptions,
  index: StoredIndex | LoadedIndex,
  signal: AbortSignal | undefined,
): Promise<IndexCheck> => {
  const sameFile = options.file === null ? null : (await currentFileVersion(options)) === index.stamp.file
  const introspected = sameFile === true ? null : await options.introspect(signal)
  const sameSchema = introspected === null || schemaVersion(introspected) === index.stamp.schema
  const { catalog, savedAt, measuredAt } = index
  const state: IndexState = { catalog, savedAt, measuredAt, sameSchema, sameFile }
  return { verdict: decideRefresh(state, options.ages, options.now()), state, introspected }
}

const buildAndStore = async (
  options: ManagedIndexOptions,
  store: IndexStore,
  held: LoadedIndex | null,
  extent: Exclude<RefreshDecision['refresh'], 'none'>,
  known: Catalog | null,
  { signal, onProgress }: RefreshOptions,
): Promise<LoadedIndex> => {
  const { now, log } = options
  // Before the rows are read, so that what is written meanwhile is noticed the next time.
  const fileStamp = await currentFileVersion(options)
  const introspected = known ?? (await options.introspect(signal))
  const tables = tableVersions(introspected)
  const began = now()
  const earlier = held === null ? null : unchangedTables(held, tables)
  const isPartial = earlier !== null && extent !== 'all'
  const stamp = { schema: schemaVersion(introspected), tables, file: fileStamp }
  const unfinished = await openUnfinishedIndex({ path: held === null ? options.path : null, stamp, now, log })
  const resumed = held === null && unfinished.found.tables.size > 0 ? unfinished.found : null
  if (resumed !== null)
    log.info({ tables: resumed.tables.size }, 'Indexing goes on where an earlier process was stopped.')
  const built = await buildIndex(options.connector, introspected, {
    guard: options.guard,
    log,
    timeBudgetMs: options.timeBudgetMs,
    ...(options.valueBytes !== undefined && { valueBytes: options.valueBytes }),
    ...(isPartial && held !== null ? { measured: earlier, values: held.values } : earlier && { earlier }),
    ...(resumed !== null && { measured: resumed.tables }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    onTable: unfinished.add,
  })
  const index: LoadedIndex = {
    ...built,
    isNew: !isPartial,
    stamp,
    savedAt: now(),
    measuredAt: isPartial && held !== null ? held.measuredAt : (resumed?.began ?? began),
  }
  const { isNew: _, ...stored } = index
  await store.save({ ...stored, values: index.values.data })
  await unfinished.remove()
  return index
}

/** Null for a server, whose catalog is always read. */
const currentFileVersion = async ({ file, scopeStamp = '' }: ManagedIndexOptions): Promise<string | null> =>
  file === null ? null : `${await fileVersion(file)}${scopeStamp}`

const unchangedTables = (held: LoadedIndex, tables: IndexVersion['tables']): ReadonlyMap<string, Table> => {
  const names = nameTables(held.catalog)
  return new Map(
    held.catalog.tables.flatMap(table => {
      const name = names.get(table) ?? table.name
      const isSame = held.stamp.tables[name] === tables[name]
      return isSame && isProfiled(table) ? [[name, table] as const] : []
    }),
  )
}

const openStored = ({ values, ...rest }: StoredIndex): LoadedIndex => ({
  ...rest,
  isNew: false,
  values: openValueIndex(values),
})
