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
