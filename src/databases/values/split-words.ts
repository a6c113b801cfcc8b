import { splitTokens } from './split-tokens.ts'

/**
 * The words of folded text as they are compared: as `splitTokens` has them, but letters that stand alone behind one
 * another are one word (`U.S.A.` and `USA`), and a number is not cut at its thousands (`1,000` and `1000`).
 */
export const splitWords = (folded: string): string[] => {
  const tokens = splitTokens(folded.includes(',') ? folded.replace(thousands, '') : folded)
  return hasLettersAlone(tokens) ? joinLetters(tokens) : tokens
}

/** A comma between digits that come in threes. */
const thousands = /(?<=\d),(?=\d{3}(?!\d))/g

const isLetter = (token: string): boolean => token.length === 1 && (token < '0' || token > '9')

const hasLettersAlone = (tokens: readonly string[]): boolean => {
  for (let at = 1; at < tokens.length; at++)
    if (isLetter(tokens[at]!) && isLetter(tokens[at - 1]!)) return true
  return false
}

const joinLetters = (tokens: readonly string[]): string[] => {
  const words: string[] = []
  tokens.forEach((token, at) => {
    if (at > 0 && isLetter(token) && isLetter(tokens[at - 1]!)) words[words.length - 1] += token
    else words.push(token)
  })
  return words
}
