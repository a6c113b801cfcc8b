import type { RevisionKind } from './answer-revision.ts'
import type { Candidate } from './candidate.ts'
import type { Clarification, ClarificationReply } from './clarification.ts'
import type { RequestedView } from './conversation.ts'
import type { VoteCount } from './feedback.ts'
import type { SlackLocation } from './message.ts'
import type { ModelUsage } from './operations/usage.ts'
import type { Question } from './question.ts'
import type { Trace } from './trace.ts'

/**
 * Another reading that an answer could have taken. The answer states the one it took among its assumptions; beside it a
 * surface can offer to change to this one.
 */
export interface AnswerAlternative {
  /** In plain words, for instance `return country of the hire`. */
  readonly label: string
  /** What it gives, for instance `5 rows`. Empty when unknown. */
  readonly hint: string
  /** The candidate to show in place of the answer's; it ran, so that its result is saved. */
  readonly candidateId: string
}

/** How one question ended, for now or for good. Consumers switch over `status` and end in `never`. */
export type Outcome =
  | {
      readonly status: 'answered'
      readonly candidateId: string
      readonly resultId: string
      readonly sql: string
      readonly confidence: number
      readonly headline: string
      readonly assumptions: readonly string[]
      /** The other readings worth offering, at most three, the likeliest first; left out where there are none. */
      readonly alternatives?: readonly AnswerAlternative[]
      /** How the rows are wanted, where the question said so. */
      readonly show?: RequestedView
      /** Set where it is shown again: the question that it was the answer of, and when (ISO) its rows were read. */
      readonly cached?: { readonly from: string; readonly readAt: string }
    }
  | { readonly status: 'needs-clarification'; readonly clarification: Clarification }
  | {
      readonly status: 'refused'
      readonly reason: string
      readonly nextStep: string
      /** Words of the question for which nothing in the database stands. */
      readonly missing?: readonly string[]
      /** Questions near this one that can be answered, or changes of the one before that can be made; at most three. */
      readonly nearest?: readonly string[]
      /** Who knows more about this database, as the configuration names them. */
      readonly whoToAsk?: string
    }
  | { readonly status: 'failed'; readonly reason: string; readonly nextStep: string }

/** What the graph hands back: the outcome, everything tried on the way, and what it cost. */
export interface AnswerReport {
  readonly questionId: string
  readonly outcome: Outcome
  readonly candidates: readonly Candidate[]
  readonly usage: ModelUsage
  /** How it came about; null where a run broke before there was anything to tell. */
  readonly trace?: Trace | null
}

/** How an answer is looked at, where a person has chosen. */
export type AnswerDisplay = 'table' | 'chart'

/** An answer as it stands in its thread, for whoever shows it again: buttons, modals, exports. */
export interface AnsweredQuestion {
  readonly question: Question
  readonly location: SlackLocation
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
  readonly display: AnswerDisplay | null
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

/** Options of one run: the signal stops model calls and queries for real; events tell how far it has come. */
export interface AnswerRunOptions {
  readonly signal?: AbortSignal
  readonly onEvent?: OnAnswerEvent
}

/** The answer graph as its callers know it. Both calls reject only when the work itself failed or was stopped. */
export interface AnswerRuns {
  /** Begins a question, or goes on with it where a crash left it: the checkpoint decides. */
  start(question: Question, options?: AnswerRunOptions): Promise<AnswerReport>
  /** Goes on with a question that was asked back. */
  resume(questionId: string, reply: ClarificationReply, options?: AnswerRunOptions): Promise<AnswerReport>
  /** How far a run has come, also one that broke; null when there is none. */
  trace(questionId: string): Promise<Trace | null>
}

/** Steps of one question as a person may watch them. Several may be under way at once. */
export type AnswerStep = 'understand' | 'find-values' | 'link' | 'draft' | 'check' | 'choose' | 'explain'

/** What the graph tells whoever listens while it works. `detail` is short and fit for a person. */
export interface AnswerEvent {
  readonly step: AnswerStep
  readonly detail: string
}

export type OnAnswerEvent = (event: AnswerEvent) => void

/** A result that the question could have been answered with instead: another group of candidates, and its first rows. */
export interface AlternativeResult {
  readonly groupKey: string
  readonly candidateId: string
  /** From 0 to 1. */
  readonly score: number
  readonly sql: string
  readonly rowCount: number
  /** As text; null where they are no longer kept. */
  readonly head: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
}

/** The other results of a question, likeliest first, without the one that stands as its answer. */
export type ListAlternativeResults = (questionId: string) => Promise<readonly AlternativeResult[]>
