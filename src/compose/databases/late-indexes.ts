import type { SharedIndexStore } from '../../core/shared-indexes.ts'

/** Shared indexes from when the store is open; until then nothing is shared, and everybody builds for themselves. */
export interface DeferredSharedIndexes extends SharedIndexStore {
  /** The store is open: from now on indexes are shared there. */
  begin(indexes: SharedIndexStore): void
}

/** Makes them. A command that opens no store shares nothing, and leaves no server behind for it. */
export const makeDeferredSharedIndexes = (): DeferredSharedIndexes => {
  let shared: SharedIndexStore | null = null
  return {
    begin: indexes => {
      shared = indexes
    },
    savedAt: async key => (await shared?.savedAt(key)) ?? null,
    read: async key => (await shared?.read(key)) ?? null,
    write: async (key, index) => shared?.write(key, index),
    lockBuild: async key => (shared === null ? async () => {} : shared.lockBuild(key)),
  }
}
