/** Similarity of two multisets, 0 to 1 (Dice); repeated items count repeatedly. The first is prepared once. */
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
