/**
 * How alike two texts are, from 0 to 1: half by their words, half by the trigrams of their letters, so that other forms
 * of a word count in part. Of multisets (Dice), so that a word said twice is two.
 */
export const textSimilarity = (a: string, b: string): number =>
  (dice(words(a), words(b)) + dice(trigrams(a), trigrams(b))) / 2

/** How alike two SQL skeletons are, from 0 to 1: by pairs of neighbouring tokens, which are clauses more than words. */
export const skeletonSimilarity = (a: string, b: string): number => dice(pairs(words(a)), pairs(words(b)))

const words = (text: string): readonly string[] =>
  text.toLowerCase().match(/<\w+>|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}]/gu) ?? []

const trigrams = (text: string): readonly string[] => {
  const padded = `  ${text.toLowerCase()} `
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
}

const pairs = (tokens: readonly string[]): readonly string[] =>
  ['', ...tokens].map((token, at) => `${token} ${tokens[at] ?? ''}`)

const dice = (a: readonly string[], b: readonly string[]): number => {
  if (a.length + b.length === 0) return 1
  const counts = new Map<string, number>()
  for (const item of a) counts.set(item, (counts.get(item) ?? 0) + 1)
  let common = 0
  for (const item of b) {
    const left = counts.get(item) ?? 0
    if (left === 0) continue
    counts.set(item, left - 1)
    common++
  }
  return (2 * common) / (a.length + b.length)
}
