/** How alike two multisets are, from 0 to 1: an item that is there twice is two (Dice). The first is taken apart once. */
export const diceSimilarityTo = (items: readonly string[]): ((others: readonly string[]) => number) => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return others => {
    if (items.length + others.length === 0) return 1
    const used = new Map<string, number>()
    let common = 0
    for (const item of others) {
      const count = counts.get(item)
      if (count === undefined) continue
      const before = used.get(item) ?? 0
      used.set(item, before + 1)
      if (before < count) common++
    }
    return (2 * common) / (items.length + others.length)
  }
}
