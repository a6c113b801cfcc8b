import type { NotAllowed } from './access/access.ts'
import type { RevisionKind } from './answer-revision.ts'
import type { Candidate } from './candidate.ts'
import type { Clarification, ClarificationReply } from './clarification.ts'
import type { RequestedView } from './conversation.ts'
import type { ErrorCode } from './errors.ts'
import type { VoteCount } from './feedback.ts'
import type { ChangeProblem } from './interpretation.ts'
import type { SlackLocation } from './message.ts'
import type { ModelUsage } from './operations/usage.ts'
import type { Question } from './question.ts'
import type { StrategyName } from './strategies/strategy.ts'
import type { Trace } from './trace.ts'

/**
 * Another interpretation the answer could have used. The answer states its own among the assumptions; a surface can
 * offer this one as a choice.
 */
export interface AnswerAlternative {
  /** In plain words, such as `return country of the hire`. */
  readonly label: string
  /** What it returns, such as `5 rows`. Empty if unknown. */
  readonly hint: string
  /** The candidate to show instead. It ran, so its result is saved. */
  readonly candidateId: string
}

/** How a question ended. Consumers switch over `status` and end in `never`. */
export type Outcome =
  | {
      readonly status: 'answered'
      readonly candidateId: string
      readonly resultId: string
      readonly sql: string
      readonly confidence: number
      readonly headline: string
      readonly assumptions: readonly string[]
      /** The other interpretations worth offering: at most three, likeliest first. Left out if there are none. */
      readonly alternatives?: readonly AnswerAlternative[]
      /** How to show the rows, if the question said so. */
      readonly show?: RequestedView
      /** What was asked and nothing more, if `sql` shows more beside it. */
      readonly drafted?: { readonly sql: string; readonly resultId: string }
      /**
       * Set when an earlier answer is shown again: the question it answered first, and when (ISO) its rows were read.
       */
      readonly cached?: { readonly from: string; readonly readAt: string }
    }
  | { readonly status: 'needs-clarification'; readonly clarification: Clarification }
  | {
      readonly status: 'refused'
      readonly why: RefusalReason
      /** Set if models were to help and none could: why not. */
      readonly modelFailure?: ModelFailure
      /** Words of the question that match nothing in the database. */
      readonly missing?: readonly string[]
      /** Similar questions or changes that can be answered; at most three. */
      readonly nearest?: readonly string[]
      /** The contact for this database, as configured. */
      readonly whoToAsk?: string
    }
  | { readonly status: 'failed'; readonly why: FailureReason }

/** Sentences of an outcome that was stored without a code, or that is about something other than the question. */
export interface WrittenReason {
  readonly code: 'written'
  readonly reason: string
  readonly nextStep: string
}

/** The reason of an outcome that was stored with sentences alone. */
export const writtenReason = ({
  reason,
  nextStep,
}: Pick<WrittenReason, 'reason' | 'nextStep'>): WrittenReason => ({ code: 'written', reason, nextStep })

/** Why models had no part in an outcome although they were to: their budget is spent, or none could be reached. */
export type ModelFailure = 'budget-spent' | 'unreachable'

/** Why a question was refused, with the facts that a surface needs to say so. */
export type RefusalReason =
  | { readonly code: 'too-long'; readonly mostCharacters: number }
  | { readonly code: 'no-question'; readonly database: string; readonly tables: TableOverview }
  | { readonly code: 'thanks' }
  | { readonly code: 'greeting'; readonly database: string }
  /** A remark in an answered thread that asks for nothing. */
  | { readonly code: 'no-request' }
  | { readonly code: 'about-bot'; readonly database: string }
  | { readonly code: 'about-database'; readonly database: string; readonly tables: TableOverview }
  /** A change of the last answer that cannot be made. */
  | { readonly code: 'impossible-change'; readonly problem: ChangeProblem; readonly hasExamples: boolean }
  /** No table, column or value of the database is called by these words. */
  | { readonly code: 'unknown-words'; readonly words: readonly string[] }
  /** The best statement leaves these words out. */
  | { readonly code: 'ignored-words'; readonly words: readonly string[] }
  | { readonly code: 'off-topic' }
  /** What will happen, why it happened, what should be done: no row tells. */
  | { readonly code: 'beyond-data'; readonly asks: 'forecast' | 'cause' | 'opinion' }
  | { readonly code: 'nothing-drafted' }
  /** Most drafts of models say that the database cannot answer; `reason` is a model's, as inert text. */
  | { readonly code: 'cannot-answer'; readonly reason: string | null }
  /** Every statement failed; `message` is what the database said of the last. */
  | { readonly code: 'all-failed'; readonly message: string; readonly isTimeout: boolean }
  /** There is an answer, but its confidence (0 to 1) is below what an answer needs. */
  | { readonly code: 'unsure'; readonly confidence: number }
  | { readonly code: 'over-budget'; readonly message: string }
  | { readonly code: 'database-unreachable' }
  /** An expensive statement was not run: a person said no, or nobody replied. */
  | { readonly code: 'not-run'; readonly isExpired: boolean }
  /** An expensive statement was not run; these narrower questions read about so many rows. */
  | {
      readonly code: 'narrower'
      readonly offered: readonly { readonly question: string; readonly rows: number }[]
    }
  /** Asked again in other words, and still expensive; `message` says how much it would read, null if unknown. */
  | { readonly code: 'still-expensive'; readonly message: string | null }
  | WrittenReason

/** The first tables of a database, and how many it has. */
export interface TableOverview {
  readonly named: readonly string[]
  readonly count: number
}

/** Why a run failed: the code of the error and its message, or that nobody expected it. */
export type FailureReason =
  | { readonly code: 'error'; readonly error: ErrorCode; readonly message: string }
  | { readonly code: 'unexpected' }
  | WrittenReason

/** What the graph returns: the outcome, everything it tried, and the cost. */
export interface AnswerReport {
  readonly questionId: string
  readonly outcome: Outcome
  readonly candidates: readonly Candidate[]
  readonly usage: ModelUsage
  /** How the answer came about; null if the run failed before there was anything to record. */
  readonly trace?: Trace | null
}

/** How a person chose to view an answer. */
export type AnswerDisplay = 'table' | 'chart'

/** The current answer in its thread, for buttons, modals and exports. */
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
  /** The candidate whose result it is; null if a person wrote the SQL. */
  readonly candidateId: string | null
  /** When its rows were read. */
  readonly answeredAt: Date
  /** Age of the rows in milliseconds, when an earlier answer was reused. */
  readonly cachedForMs?: number
  /** Who changed it last, and how; null if nobody did. */
  readonly revision: { readonly kind: RevisionKind; readonly person: string } | null
  /** The reviewer who approved it. */
  readonly approvedBy: string | null
  /** Null if nobody has chosen. */
  readonly display: AnswerDisplay | null
  /** The periods the question is restricted to, in words; empty if unknown. */
  readonly periods: readonly string[]
  readonly filters: readonly string[]
}

/** The answer of a question; null if it has none. */
export type FindAnsweredQuestion = (questionId: string) => Promise<AnsweredQuestion | null>

/**
 * The whole result of an answer as a file: from the saved rows if they are complete, otherwise read again up to a
 * separate cap. `onSlow` is called once if the rows have to be read again. Null if there is no answer.
 */
export type ExportRows = (
  questionId: string,
  options?: { readonly signal?: AbortSignal; readonly onSlow?: () => void },
) => Promise<ExportedRows | NotAllowed | null>

/** A CSV file. `complete` is false if a cap cut the result. */
export interface ExportedRows {
  readonly fileName: string
  readonly csv: Uint8Array
  readonly rows: number
  readonly complete: boolean
}

/** Options of one run. The signal cancels model calls and queries; events report progress. */
export interface AnswerRunOptions {
  readonly signal?: AbortSignal
  /** How a question that starts is answered; as the settings say if left out. One that has started stays as it is. */
  readonly strategy?: StrategyName
  readonly onEvent?: OnAnswerEvent
}

/** The answer graph as its callers see it. Both calls reject only if the work failed or was stopped. */
export interface AnswerRuns {
  /** Starts a question, or resumes it from its checkpoint after a crash. */
  start(question: Question, options?: AnswerRunOptions): Promise<AnswerReport>
  /** Resumes a question after its clarification was answered. */
  resume(questionId: string, reply: ClarificationReply, options?: AnswerRunOptions): Promise<AnswerReport>
  /** The trace of a run, also of one that failed; null if there is none. */
  trace(questionId: string): Promise<Trace | null>
}

/** Steps of a question shown as progress. Several can run at once. */
export type AnswerStep = 'understand' | 'find-values' | 'link' | 'draft' | 'check' | 'choose' | 'explain'

/** Progress event of the graph. `detail` is short and readable. */
export interface AnswerEvent {
  readonly step: AnswerStep
  readonly detail: string
  /** Set before the first draft if the plan may need more model calls than the question may have. */
  readonly callShortfall?: CallShortfall
}

/** A plan that may need more model calls than one question may have. */
export interface CallShortfall {
  readonly estimated: number
  readonly allowed: number
}

export type OnAnswerEvent = (event: AnswerEvent) => void

/** An alternative result: another group of candidates and its first rows. */
export interface AlternativeResult {
  readonly groupKey: string
  readonly candidateId: string
  /** From 0 to 1. */
  readonly score: number
  readonly sql: string
  readonly rowCount: number
  /** As text; null if the rows have expired. */
  readonly head: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
}

/** The other results of a question, likeliest first, without the current answer. */
export type ListAlternativeResults = (questionId: string) => Promise<readonly AlternativeResult[]>
