import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import type { FindValues, TimeSpan } from '../../domain/question-context.ts'
import type { Token } from '../../parser/tokenize.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What spans are looked for in. */
export interface SpanInput {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly periods: readonly TimeSpan[]
  readonly layer: SemanticLayer
  readonly vocabulary: Vocabulary
  readonly findValues: FindValues
}

/** The words of some tokens, as written. */
export const spanText = ({ text, tokens }: SpanInput, from: number, until: number): string =>
  text.slice(tokens[from]?.at[0] ?? 0, tokens[until - 1]?.at[1] ?? 0)

/** "How long does an outage last", "how long do campaigns run", "outages that last more than six hours". */
export const isVerbLast = ({ text, tokens }: SpanInput, at: number): boolean => {
  const token = tokens[at]
  if (token === undefined || !/^(?:last|run|runs)$/.test(token.folded)) return false
  return (
    /\bhow (?:long|many \w+) (?:do|does|did|will)\b/i.test(text.slice(0, token.at[0])) ||
    /^last (?:over|under|above|more|less|longer|shorter|at least|at most|up to|for|on average|beyond|between)\b/i.test(
      text.slice(token.at[0]),
    )
  )
}
