import { diceSimilarityTo } from '../../../src/lib/dice-with.ts'

/** How alike another text is to a given one, from 0 to 1. */
export type Likeness = (other: string) => number

/**
 * Half by their words, half by the trigrams of their letters, so that other forms of a word count in part. The text is
 * taken apart once, for all that it is held against.
 */
export const likenessTo = (text: string): Likeness => {
  const [byWords, byLetters] = [diceSimilarityTo(words(text)), diceSimilarityTo(trigrams(text))]
  return other => (byWords(words(other)) + byLetters(trigrams(other))) / 2
}

const words = (text: string): readonly string[] =>
  text.toLowerCase().match(/<\w+>|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}]/gu) ?? []

const trigrams = (text: string): readonly string[] => {
  const padded = `  ${text.toLowerCase()} `
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
}
