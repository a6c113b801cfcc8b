import type { SharedIndexes } from '../../core/shared-indexes.ts'

/** Shared indexes from when the store is open; until then nothing is shared, and everybody builds for themselves. */
export interface LateIndexes extends SharedIndexes {
  /** The store is open: from now on indexes are shared there. */
  begin(indexes: SharedIndexes): void
}

/** Makes them. A command that opens no store shares nothing, and leaves no server behind for it. */
export const makeLateIndexes = (): LateIndexes => {
  let shared: SharedIndexes | null = null
  return {
    begin: indexes => {
      shared = indexes
    },
    savedAt: async key => (await shared?.savedAt(key)) ?? null,
    read: async key => (await shared?.read(key)) ?? null,
    write: async (key, index) => shared?.write(key, index),
    takeTurn: async key => (shared === null ? async () => {} : shared.takeTurn(key)),
  }
}
