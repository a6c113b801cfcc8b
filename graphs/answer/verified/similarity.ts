/** How alike another text is to a given one, from 0 to 1. */
export type Likeness = (other: string) => number

/**
 * Half by their words, half by the trigrams of their letters, so that other forms of a word count in part. Of multisets
 * (Dice), so that a word said twice is two. The text is taken apart once, for all that it is held against.
 */
export const likenessTo = (text: string): Likeness => {
  const [byWords, byLetters] = [diceWith(words(text)), diceWith(trigrams(text))]
  return other => (byWords(words(other)) + byLetters(trigrams(other))) / 2
}

/** Of SQL skeletons: by pairs of neighbouring tokens, which are clauses more than words. */
export const skeletonLikenessTo = (skeleton: string): Likeness => {
  const byPairs = diceWith(pairs(words(skeleton)))
  return other => byPairs(pairs(words(other)))
}

const words = (text: string): readonly string[] =>
  text.toLowerCase().match(/<\w+>|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}]/gu) ?? []

const trigrams = (text: string): readonly string[] => {
  const padded = `  ${text.toLowerCase()} `
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
}

const pairs = (tokens: readonly string[]): readonly string[] =>
  ['', ...tokens].map((token, at) => `${token} ${tokens[at] ?? ''}`)

const diceWith = (items: readonly string[]): ((others: readonly string[]) => number) => {
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
