import { foldText } from '../../../src/lib/fold-text.ts'

/** A word, a number or a sign of comparison in a question. [start, end) in UTF-16 units, `folded` for comparing. */
export interface QuestionToken {
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** Numbers keep what stands between their digits: `1,000`, `2.5`, `2026-10-01`. */
const pattern = /\p{N}+(?:[.,:/-]\p{N}+)*|[\p{L}\p{M}]+(?:\p{N}+)?|[<>=≤≥≠%+$€£]/gu

/** The tokens of a question in order; other marks say nothing. */
export const questionTokens = (text: string): readonly QuestionToken[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    folded: foldText(found),
    start: index,
    end: index + found.length,
  }))
