import { createHash } from 'node:crypto'
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SharedIndexStore } from '../../domain/database.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { packIndex, readIndexFile, type StoredIndex, unpackIndex, writePackedIndex } from './index-file.ts'

/** Where the index of one database is kept from one process to the next, and among processes. */
export interface IndexStore {
  /** The latest index that is kept; null where there is none, or none that can be used. */
  latest(): Promise<StoredIndex | null>
  /** Keeps an index. Where that fails it is logged: then it is measured again the next time. */
  save(index: StoredIndex): Promise<void>
  /** Takes the right to refresh it; null while another process has it. The result gives it back. */
  acquireRefreshLock(): Promise<(() => Promise<void>) | null>
}

/**
 * Under which key the index of a reference is shared. Settings are no part of it, as they are no part of a file's name: an
 * index with fewer columns open goes over the one with more, and does not leave it behind.
 */
export const sharedIndexKey = (reference: string): string =>
  createHash('sha256').update(reference).digest('base64url')

/**
 * Makes it of a file, of what processes on several machines share, of both, or of neither. The file is what a process
 * has at once when it starts, also where it has no store; what is shared counts where it is later, and is put into the
 * file. Where what is shared cannot be reached, that is logged, and the file alone counts.
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
    log.warn({ error }, 'Indexes of other processes cannot be reached; this process goes on by itself.')
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
    log.warn({ error }, 'The index could not be kept for the next time.')

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
        // First the one that is everybody's: kept, it would be renewed for as long as this process lives.
        await anywhere().catch(error => away(error, undefined))
        await here()
      }
    },
  }
}

/** A lock that nobody has touched for so long was left behind by a process that died. */
const staleMs = 60_000

/** How often the holder says that it is still there. */
const touchMs = 15_000

/**
 * Takes the right to refresh an index among the processes that share its folder. Null when another process has it.
 * A folder that cannot be written has no lock to take: then everybody may. The result gives it back.
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
