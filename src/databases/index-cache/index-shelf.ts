import { createHash } from 'node:crypto'
import type { Log } from '../../core/log.ts'
import type { SharedIndexStore } from '../../core/shared-indexes.ts'
import { packIndex, readIndexFile, type StoredIndex, unpackIndex, writePackedIndex } from './index-file.ts'
import { acquireRefreshLock } from './refresh-lock.ts'

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
