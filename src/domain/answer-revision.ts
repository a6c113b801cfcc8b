import type { NotAllowed } from './access/access.ts'
import type { FeedbackReason } from './feedback.ts'
import type { AnswerMeaning } from './metrics/metric-reading.ts'
import type { Tx } from './operations/jobs.ts'
import type { Question } from './question.ts'
import type { ResultTable } from './result.ts'

/**
 * How a person changed an answer: `edited` its SQL and ran it, `picked` the result of another candidate, or `fixed` it
 * as a reviewer.
 */
export type RevisionKind = 'edited' | 'picked' | 'fixed'

/** The current answer of a question after a person changed it. The first answer is kept too. */
export interface AnswerRevision {
  readonly questionId: string
  readonly kind: RevisionKind
  readonly person: string
  /** Null if the person wrote the SQL. */
  readonly candidateId: string | null
  readonly sql: string
  readonly resultId: string
  readonly headline: string
  readonly assumptions: readonly string[]
  readonly madeAt: Date
}

/**
 * The outcome of a change. `late`: the same submission or another person's decision came first. `unfit`: the guard or
 * the database refused the SQL; the person sees the reason. `too-heavy`: it was not run because it reads too much, and
 * the person decides whether to run it. `gone`: the answer or result no longer exists.
 */
export type RevisionResult =
  | {
      readonly status: 'revised'
      readonly headline: string
      readonly rowCount: number
      /** Group key of the current answer, as `ExecutionGroup.key`. */
      readonly groupKey: string
    }
  | { readonly status: 'late' }
  | { readonly status: 'unfit'; readonly reason: string }
  | { readonly status: 'too-heavy'; readonly reason: string }
  | { readonly status: 'gone' }
  | NotAllowed

/** Writes in the same transaction as the change. */
export type InSameTransaction = (tx: Tx) => Promise<void>

/** Stores a change. False if it came too late; then nothing is written. */
export type InsertRevision = (
  revision: AnswerRevision,
  request: string,
  alongside?: InSameTransaction,
) => Promise<boolean>

/**
 * Runs a person's SQL in place of the answer's: guarded, read-only and under every cap. `request` identifies the
 * submission, so the same one changes the answer only once. Rejects if the database cannot be reached or `signal`
 * fires.
 */
export type RerunSql = (given: {
  readonly questionId: string
  readonly sql: string
  /** The person confirmed running it although it reads a lot. */
  readonly evenIfHeavy?: boolean
  readonly person: string
  readonly request: string
  readonly alongside?: InSameTransaction
  readonly signal?: AbortSignal
}) => Promise<RevisionResult>

/** Makes the result of another candidate the answer. */
export type PickResult = (given: {
  readonly questionId: string
  readonly candidateId: string
  readonly person: string
  readonly request: string
  readonly alongside?: InSameTransaction
  readonly signal?: AbortSignal
}) => Promise<RevisionResult>

/** Puts a result in words: its first line, whose numbers all come from the result, and what its columns mean. */
export type DescribeResult = (given: {
  readonly table: ResultTable
  readonly sql: string
  readonly meaning?: AnswerMeaning
  readonly question: Pick<Question, 'text' | 'database'> & Partial<Pick<Question, 'timeZone'>>
}) => Promise<{ readonly headline: string; readonly table: ResultTable }>

/** A change to an answer as a person submitted it. */
export interface RevisionRequest {
  readonly questionId: string
  readonly person: string
  /** A form (`Edit & rerun`, `Fix SQL`, what was wrong) or the menu of interpretations in the message. */
  readonly by: 'edit' | 'fix' | 'feedback' | 'reading'
  /** The view id of the form, or the time of the click: one submission changes an answer once. */
  readonly submission: string
  readonly change:
    | {
        readonly kind: 'sql'
        readonly sql: string
        /** The person confirmed running it although it reads a lot. */
        readonly evenIfHeavy: boolean
      }
    | { readonly kind: 'pick'; readonly candidateId: string }
  /** What was wrong with the answer, if the form says so. */
  readonly reason: { readonly reason: FeedbackReason; readonly note: string | null } | null
}

/**
 * How a change run by a job ended. `broken`: every attempt failed; the person sees the reason. `unshown`: the change
 * was made, but the message could not be updated.
 */
export type RevisionOutcome =
  | RevisionResult
  | { readonly status: 'broken'; readonly reason: string }
  | { readonly status: 'unshown' }

/** Changes an answer while a person waits, or in a job. A job shows the change either way. */
export interface ReviseAnswer {
  /** Tries the change until `signal` fires. The change and the job that shows it are written together. */
  now(wanted: RevisionRequest, signal?: AbortSignal): Promise<RevisionResult>
  /** Stores a job for a change that was tried. Acknowledge it only after this resolves. */
  later(wanted: RevisionRequest): Promise<void>
  /**
   * As `later`, for a change that was not tried yet. It counts against the click limit; returns the refusal if that is
   * exceeded, null once the job is stored.
   */
  click(wanted: RevisionRequest): Promise<NotAllowed | null>
}
