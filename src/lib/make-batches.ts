/** Takes an item to be written with others; resolves when it is written, rejects when its batch could not be. */
export type WriteInBatch<Item> = (item: Item) => Promise<void>

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
