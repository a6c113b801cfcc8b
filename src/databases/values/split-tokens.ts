import { letterCode } from './letter-code.ts'

/** The words of folded text: runs of letters and digits, in order. Punctuation separates and is dropped. */
export const splitTokens = (folded: string): string[] => {
  const tokens: string[] = []
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    if (letterCode(folded.charCodeAt(at)) !== 0) {
      if (start < 0) start = at
    } else if (start >= 0) {
      tokens.push(folded.slice(start, at))
      start = -1
    }
  }
  if (start >= 0) tokens.push(start === 0 ? folded : folded.slice(start))
  return tokens
}
