import pLimit from 'p-limit'

/**
 * Maps over items with at most `width` concurrent calls and returns results in the order of the items. The first
 * failure rejects; running calls are not awaited, and no more are started.
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

/** As Promise.all, but ends only when all have: nothing of them goes on after one has failed. Throws the first failure. */
export const allEnded = async <const Works extends readonly unknown[]>(works: Works) => {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Work that several callers wait for. */
export interface SharedWork<Result> {
  /** Whether it was cancelled because the last caller left. It may still be ending. */
  readonly isLeft: boolean
  /** How it ends, for those who do not need it to go on. */
  readonly result: Promise<Result>
  /**
   * Waits for it. A caller whose signal fires leaves at once and rejects with its reason. The last one to leave cancels
   * the work, and rejects when that has ended.
   */
  join(signal?: AbortSignal): Promise<Result>
}

/** Begins work that goes on as long as somebody waits for it: the first caller can leave without ending it for others. */
export const shareWork = <Result>(begin: (signal: AbortSignal) => Promise<Result>): SharedWork<Result> => {
  const stopping = new AbortController()
  const work = begin(stopping.signal)
  let isDone = false
  const markDone = (): void => {
    isDone = true
  }
  work.then(markDone, markDone)
  let waiting = 0
  return {
    get isLeft() {
      return stopping.signal.aborted
    },
    result: work,
    join: signal => {
      if (isDone) return work
      waiting++
      // A caller without a signal never leaves.
      if (signal === undefined) return work
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          if (isDone) return
          waiting--
          if (waiting === 0) stopping.abort(signal.reason)
          else reject(signal.reason)
        }
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
        if (signal.aborted) leave()
        else signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}

/** Runs work of one key in order; different keys do not wait for each other. */
type RunInTurn = (key: string, work: () => Promise<void>) => Promise<void>

/** Failed work does not stop the next; its caller gets the error. */
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

/** Adds an item to a batch; resolves when it is written, rejects if its batch failed. */
type WriteInBatch<Item> = (item: Item) => Promise<void>

/**
 * Writes items that arrive in the same turn together, and items that arrive during a write with the next one, at most
 * `most` at a time: a single item does not wait, and many need few writes.
 */
export const makeBatches = <Item>(
  most: number,
  write: (items: readonly Item[]) => Promise<void>,
): WriteInBatch<Item> => {
  let waiting: { readonly item: Item; readonly settle: (error: Error | null) => void }[] = []
  let isWriting = false

  const writeAll = async (): Promise<void> => {
    // Items added later in this turn are included.
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
