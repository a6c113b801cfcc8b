/**
 * Maps over items with at most `width` calls under way, and gives the results in the order of the items. The first
 * failure rejects; calls under way then are not waited for, and no further ones are begun.
 */
export const mapInParallel = async <Item, Result>(
  items: readonly Item[],
  width: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = new Array(items.length)
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    while (!failed && next < items.length) {
      const index = next++
      try {
        results[index] = await map(items[index]!, index)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(width, items.length)) }, work))
  return results
}
