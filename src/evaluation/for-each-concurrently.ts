/** Does the work for every item, at most `concurrency` at a time. The first failure stops taking new items. */
export const forEachConcurrently = async <T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const queue = items.values()
  let failed = false
  const worker = async () => {
    for (const item of queue) {
      if (failed) return
      try {
        await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, items.length)) }, worker)
  // All settle before the caller closes what they use.
  const failure = (await Promise.allSettled(workers)).find(result => result.status === 'rejected')
  if (failure) throw failure.reason
}
