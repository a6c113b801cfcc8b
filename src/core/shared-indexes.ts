/**
 * Indexes of databases where all processes find them, whichever machine each is on, and the right to build one. An index
 * is bytes here: what is in them is known to those who built it. All of it rejects while the store is away.
 */
export interface SharedIndexStore {
  /** When the index of a key was worked on last; null where none is kept. */
  savedAt(key: string): Promise<Date | null>
  /** The index of a key; null where none is kept, or while another takes its place. */
  read(key: string): Promise<Buffer | null>
  /** Keeps an index in the place of an older one; where a later one is kept already, that one stays. */
  write(key: string, index: { readonly savedAt: Date; readonly bytes: Buffer }): Promise<void>
  /**
   * Takes the right to build the index of a key; null while another process has it. The result gives it back. Whose
   * process dies loses it after a while.
   */
  lockBuild(key: string): Promise<(() => Promise<void>) | null>
}
