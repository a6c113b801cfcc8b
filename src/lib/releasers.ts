/** Releases resources in reverse order of creation. */
export interface Releasers {
  /** Adds the release of a resource that was just created. */
  push(undo: () => Promise<void> | void): void
  /** Releases everything even if one release fails, then throws the first failure. Calling it twice is harmless. */
  release(): Promise<void>
}

/** An empty list of releases. Push right after creating a resource, so that a start that fails halfway can clean up. */
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
