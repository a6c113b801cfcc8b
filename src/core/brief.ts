import type { Keyword } from './keyword.ts'
import type { LinkedSchema } from './linked-schema.ts'
import type { Understanding } from './understanding.ts'
import type { ValueMatch } from './value-match.ts'

/** What the drafting paths of one question are told. Grows node by node, and is read back by each branch. */
export interface QuestionContext {
  readonly understanding: Understanding
  /** What was looked up, for whoever asks how the values were found. */
  readonly keywords?: readonly Keyword[]
  readonly matches: readonly ValueMatch[]
  readonly linked: LinkedSchema
}
