/** Tells listeners that something in the workspace has changed. */
export interface Changes {
  notify(): void
  /** Returns the undo. */
  listen(heard: () => void): () => void
}

export const makeChanges = (): Changes => {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const heard of listeners) heard()
    },
    listen: heard => {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
  }
}
