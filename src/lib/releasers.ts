/** Undoes what was made, last made first undone. */
export interface Releasers {
  /** Remembers how to undo the resource just made. */
  push(undo: () => Promise<void> | void): void
  /** Undoes everything even when one undo fails, then throws the first failure. Harmless when called twice. */
  release(): Promise<void>
}

/** Makes an empty list of undos. Push right after making a resource, so that a start that fails half-way can release. */
export const makeReleasers = (): Releasers => {
  const undos: (() => Promise<void> | void)[] = []
  return {
    push: undo => {
      undos.push(undo)
    },
    release: async () => {
      const failures: unknown[] = []
      for (let undo = undos.pop(); undo; undo = undos.pop()) {
        try {
          await undo()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
