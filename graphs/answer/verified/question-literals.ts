import type { TimeSpan, ValueMatch } from '../../../src/domain/question-context.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { parseNumber } from '../../../src/lib/parse-number.ts'

/** What a piece of a question, tokens [first, end), may stand for in SQL. */
export type QuestionLiteral = { readonly first: number; readonly end: number } & (
  | {
      readonly kind: 'value'
      readonly table: string
      readonly column: string
      readonly value: string
      readonly score: number
    }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'period'; readonly from: string | null; readonly until: string | null }
)

/** A value that the words only resemble is not what somebody named. */
const LEAST_SCORE = 0.85

/** "two hundred and ten thousand" */
const LONGEST_NUMBER = 6

/** Everything that pieces of a question may stand for: values that were found, numbers, periods. They may overlap. */
export const findQuestionLiterals = (
  text: string,
  { matches, spans }: { readonly matches: readonly ValueMatch[]; readonly spans: readonly TimeSpan[] },
): readonly QuestionLiteral[] => {
  const tokens = questionTokens(text)
  return [...periodsOf(tokens, spans), ...valuesOf(tokens, matches), ...numbersOf(text, tokens)]
}

const periodsOf = (
  tokens: readonly QuestionToken[],
  spans: readonly TimeSpan[],
): readonly QuestionLiteral[] =>
  spans.flatMap(({ at: [start, end], from, until }) => {
    const inside = tokens.flatMap((token, index) => (token.start < end && token.end > start ? [index] : []))
    const [first] = inside
    return first === undefined || (from === null && until === null)
      ? []
      : [{ kind: 'period' as const, first, end: first + inside.length, from, until }]
  })

const valuesOf = (
  tokens: readonly QuestionToken[],
  matches: readonly ValueMatch[],
): readonly QuestionLiteral[] =>
  matches
    .filter(({ score }) => score >= LEAST_SCORE)
    .flatMap(({ keyword, table, column, value, score }) => {
      const said = questionTokens(keyword).map(({ folded }) => folded)
      if (said.length === 0) return []
      return tokens.flatMap((_, first) =>
        said.every((word, offset) => tokens[first + offset]?.folded === word)
          ? [{ kind: 'value' as const, first, end: first + said.length, table, column, value, score }]
          : [],
      )
    })

/** Every run that reads as a number: in `10 m` both ten and ten million, since only a comparison can tell. */
const numbersOf = (text: string, tokens: readonly QuestionToken[]): readonly QuestionLiteral[] =>
  tokens.flatMap((token, first) =>
    tokens.slice(first, first + LONGEST_NUMBER).flatMap((last, offset) => {
      const value = parseNumber(text.slice(token.start, last.end))
      return value === null ? [] : [{ kind: 'number' as const, first, end: first + offset + 1, value }]
    }),
  )

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
