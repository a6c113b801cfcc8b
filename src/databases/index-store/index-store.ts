import { createHash } from 'node:crypto'
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SharedIndexStore } from '../../domain/database.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { packIndex, readIndexFile, type StoredIndex, unpackIndex, writePackedIndex } from './index-file.ts'

/** Stores the index of one database from one process to the next, and between processes. */
export interface IndexStore {
  /** The latest stored index; null if there is none that can be used. */
  latest(): Promise<StoredIndex | null>
  /** Stores an index. A failure is logged; then the database is measured again the next time. */
  save(index: StoredIndex): Promise<void>
  /** Takes the lock to refresh it; null while another process holds it. The result releases it. */
  acquireRefreshLock(): Promise<(() => Promise<void>) | null>
}

/**
 * The key of a shared index. Settings are not part of it, nor of a file's name: an index with fewer visible
 * columns replaces the one with more, and does not leave it behind.
 */
export const sharedIndexKey = (reference: string): string =>
  createHash('sha256').update(reference).digest('base64url')

/**
 * Makes an index store from a file, from a store that several machines share, from both, or from neither. The file
 * is available as soon as a process starts, even without a store. If the shared index is newer it is used, and
 * written to the file. If the store cannot be reached, that is logged and only the file is used.
 */
export const makeIndexStore = ({
  path,
  shared,
  log,
}: {
  readonly path: string | null
  readonly shared: { readonly indexes: SharedIndexStore; readonly key: string } | null
  readonly log: Log
}): IndexStore => {
  const away = <T>(error: unknown, otherwise: T): T => {
    log.warn({ error }, 'The shared indexes cannot be reached. This process uses only its own.')
    return otherwise
  }

  const laterOfOthers = async (own: StoredIndex | null): Promise<StoredIndex | null> => {
    if (shared === null) return null
    const { indexes, key } = shared
    const savedAt = await indexes.savedAt(key)
    if (savedAt === null || (own !== null && savedAt <= own.savedAt)) return null
    const bytes = await indexes.read(key)
    const index = bytes && (await unpackIndex(bytes))
    if (bytes && index && path !== null) await writePackedIndex(path, bytes).catch(notKept)
    return index
  }

  const notKept = (error: unknown): void =>
    log.warn({ error }, 'The index could not be stored. The next process measures again.')

  return {
    latest: async () => {
      const own = path === null ? null : await readIndexFile(path)
      return (await laterOfOthers(own).catch(error => away(error, null))) ?? own
    },
    save: async index => {
      if (path === null && shared === null) return
      const bytes = await packIndex(index)
      if (path !== null) await writePackedIndex(path, bytes).catch(notKept)
      const { savedAt } = index
      await shared?.indexes.write(shared.key, { savedAt, bytes }).catch(error => away(error, undefined))
    },
    acquireRefreshLock: async () => {
      const here = path === null ? async () => {} : await acquireRefreshLock(path)
      if (here === null || shared === null) return here
      const anywhere = await shared.indexes.lockBuild(shared.key).catch(error => away(error, async () => {}))
      if (anywhere === null) {
        await here()
        return null
      }
      return async () => {
        // First the shared lock: if it were kept, it would be renewed for as long as this process lives.
        await anywhere().catch(error => away(error, undefined))
        await here()
      }
    },
  }
}

/** A lock that was not touched for this long was left behind by a process that died. */
const staleMs = 60_000

/** How often the holder renews its lock. */
const touchMs = 15_000

/**
 * Takes the lock to refresh an index among the processes that share its folder. Null if another process holds it.
 * A folder that cannot be written has no lock: then every process can refresh. The result releases the lock.
 */
const acquireRefreshLock = async (
  indexFile: string,
  now: () => number = Date.now,
): Promise<(() => Promise<void>) | null> => {
  const path = `${indexFile}.lock`
  for (const attempt of [1, 2]) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await (await open(path, 'wx', 0o600)).close()
      return keepLockFresh(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return async () => {}
      if (attempt === 2 || now() - (await touchedAt(path)) < staleMs) return null
      await rm(path, { force: true })
    }
  }
  return null
}

const keepLockFresh = (path: string): (() => Promise<void>) => {
  const touching = setInterval(() => {
    const at = new Date()
    utimes(path, at, at).catch(() => {})
  }, touchMs)
  touching.unref()
  return async () => {
    clearInterval(touching)
    await rm(path, { force: true })
  }
}

const touchedAt = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).mtimeMs
  } catch {
    return 0
  }
}
