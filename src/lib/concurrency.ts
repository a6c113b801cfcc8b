import pLimit from 'p-limit'

/**
 * Maps over items with at most `width` calls at a time, and returns the results in the order of the items. The first failure
 * rejects at once: no further call is begun, and calls under way are not waited for.
 */
export const mapInParallel = async <Item, Result>(
  items: readonly Item[],
  width: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const limit = pLimit(Math.max(1, width))
  return limit.map(items, async (item, index) => {
    try {
      return await map(item, index)
    } catch (error) {
      limit.clearQueue()
      throw error
    }
  })
}

/** Does work of one key one after the other, in the order of asking; works of different keys do not wait for each other. */
type RunInTurn = (key: string, work: () => Promise<void>) => Promise<void>

/** Makes it. Work that fails does not keep the next from being done; whoever asked for it sees the failure. */
export const makeRunInTurn = (): RunInTurn => {
  const last = new Map<string, Promise<void>>()
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = done
      .catch(() => {})
      .then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return done
  }
}

/** Takes an item to be written with others; resolves when it is written, rejects when its batch could not be. */
type WriteInBatch<Item> = (item: Item) => Promise<void>

/**
 * Writes what comes in the same turn together, and what comes during a write with the next one, at most `most` at a
 * time: one item alone waits for nobody, and many at once cost a few writes.
 */
export const makeBatches = <Item>(
  most: number,
  write: (items: readonly Item[]) => Promise<void>,
): WriteInBatch<Item> => {
  let waiting: { readonly item: Item; readonly settle: (error: Error | null) => void }[] = []
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    // Whatever else this turn brings comes along.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      let failure: Error | null = null
      try {
        await write(batch.map(({ item }) => item))
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
      }
      for (const { settle } of batch) settle(failure)
    }
    isWriting = false
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, settle: error => (error === null ? resolve() : reject(error)) })
      if (isWriting) return
      isWriting = true
      void writeAll()
    })
}
