import type { AnswerAlternative } from './answer.ts'
import type { Place } from './place.ts'
import type { Question } from './question.ts'
import type { VoteCount } from './vote.ts'

/** An answer as it stands in its thread, for whoever shows it again: buttons, modals, exports. */
export interface AnsweredQuestion {
  readonly question: Question
  readonly place: Place
  readonly sql: string
  readonly resultId: string
  readonly confidence: number
  readonly headline: string
  readonly assumptions: readonly string[]
  readonly alternatives?: readonly AnswerAlternative[]
  readonly votes: VoteCount
}

/** The answer of a question; null when it has none. */
export type FindAnswered = (questionId: string) => Promise<AnsweredQuestion | null>

/** The rows of an answer as a file; null when the saved result has expired or there is none. */
export type ExportRows = (questionId: string) => Promise<ExportedRows | null>

/** A CSV file. `complete` is false when a cap cut the result before it was saved. */
export interface ExportedRows {
  readonly fileName: string
  readonly csv: string
  readonly rows: number
  readonly complete: boolean
}
