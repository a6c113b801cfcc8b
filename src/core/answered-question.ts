import type { AnswerAlternative } from './answer.ts'
import type { RevisionKind } from './answer-revision.ts'
import type { SlackLocation } from './place.ts'
import type { Question } from './question.ts'
import type { VoteCount } from './vote.ts'

/** How an answer is looked at, where a person has chosen. */
export type AnswerDisplay = 'table' | 'chart'

/** An answer as it stands in its thread, for whoever shows it again: buttons, modals, exports. */
export interface AnsweredQuestion {
  readonly question: Question
  readonly place: SlackLocation
  readonly sql: string
  readonly resultId: string
  readonly confidence: number
  readonly headline: string
  readonly assumptions: readonly string[]
  readonly alternatives?: readonly AnswerAlternative[]
  readonly votes: VoteCount
  /** The candidate whose result it is; null where the SQL is a person's own. */
  readonly candidateId: string | null
  /** When its rows were read. */
  readonly answeredAt: Date
  /** How old the rows were, in milliseconds, when this answer of another question was shown again for this one. */
  readonly cachedForMs?: number
  /** Who changed it last, and how; null while it is as it was first given. */
  readonly revision: { readonly kind: RevisionKind; readonly person: string } | null
  /** Who looked at it when asked to, and found it right. */
  readonly approvedBy: string | null
  /** Null where nobody has chosen. */
  readonly look: AnswerDisplay | null
  /** What the question restricts it to, in words; empty where that is not known. */
  readonly periods: readonly string[]
  readonly filters: readonly string[]
}

/** The answer of a question; null when it has none. */
export type FindAnsweredQuestion = (questionId: string) => Promise<AnsweredQuestion | null>

/**
 * The whole result of an answer as a file: from the saved rows while they are kept whole, else read again from the
 * database up to a cap of its own. `onSlow` is called once when that is needed. Null when there is no answer.
 */
export type ExportRows = (
  questionId: string,
  options?: { readonly signal?: AbortSignal; readonly onSlow?: () => void },
) => Promise<ExportedRows | null>

/** A CSV file. `complete` is false when a cap cut the result. */
export interface ExportedRows {
  readonly fileName: string
  readonly csv: Uint8Array
  readonly rows: number
  readonly complete: boolean
}
