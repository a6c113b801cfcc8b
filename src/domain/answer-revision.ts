import type { NotAllowed } from './access.ts'
import type { FeedbackReason } from './feedback.ts'
import type { Tx } from './operations/transaction.ts'
import type { ResultTable } from './result.ts'

/**
 * How a person changed what stands as an answer: `edited` its SQL and ran it, `picked` the result of another candidate,
 * or, asked for help, `fixed` it.
 */
export type RevisionKind = 'edited' | 'picked' | 'fixed'

/** What stands as the answer of a question since a person changed it. The first answer is kept beside it. */
export interface AnswerRevision {
  readonly questionId: string
  readonly kind: RevisionKind
  readonly person: string
  /** Null where the SQL is the person's own. */
  readonly candidateId: string | null
  readonly sql: string
  readonly resultId: string
  readonly headline: string
  readonly assumptions: readonly string[]
  readonly madeAt: Date
}

/**
 * How a change went. `late`: the same submission, or somebody else's decision, came first. `unfit`: the guard or the
 * database refused the SQL; the reason is for the person's eyes. `too-heavy`: it was not run, and the person is to be
 * asked whether it may, with this reason. `gone`: there is no such answer or result any more.
 */
export type RevisionResult =
  | {
      readonly status: 'revised'
      readonly headline: string
      readonly rowCount: number
      /** Of what stands as the answer now, as `ExecutionGroup.key`. */
      readonly groupKey: string
    }
  | { readonly status: 'late' }
  | { readonly status: 'unfit'; readonly reason: string }
  | { readonly status: 'too-heavy'; readonly reason: string }
  | { readonly status: 'gone' }
  | NotAllowed

/** What is written together with a change, or not at all. */
export type InSameTransaction = (tx: Tx) => Promise<void>

/** Keeps a change. False when it came too late: then nothing is written. */
export type InsertRevision = (
  revision: AnswerRevision,
  request: string,
  alongside?: InSameTransaction,
) => Promise<boolean>

/**
 * Runs SQL of a person in place of the answer's: guarded, read-only, under every cap. `request` names the submission:
 * the same one twice changes the answer once. Rejects when the database cannot be reached or `signal` fires.
 */
export type RerunSql = (given: {
  readonly questionId: string
  readonly sql: string
  /** The person was told that it reads much, and wants it run. */
  readonly evenIfHeavy?: boolean
  readonly person: string
  readonly request: string
  readonly alongside?: InSameTransaction
  readonly signal?: AbortSignal
}) => Promise<RevisionResult>

/** Puts the result of another candidate of the question in the place of the answer. */
export type PickResult = (given: {
  readonly questionId: string
  readonly candidateId: string
  readonly person: string
  readonly request: string
  readonly alongside?: InSameTransaction
  readonly signal?: AbortSignal
}) => Promise<RevisionResult>

/** The first line of an answer, every number in it taken from the result. */
export type WriteHeadline = (table: ResultTable) => string

/** A change of an answer as a person submitted it. */
export interface RevisionRequest {
  readonly questionId: string
  readonly person: string
  /** A form (`Edit & rerun`, `Fix SQL`, what was wrong), or the menu of readings in the message. */
  readonly by: 'edit' | 'fix' | 'feedback' | 'reading'
  /** The id of the form's view, or the moment of the click: one submission changes an answer once. */
  readonly submission: string
  readonly change:
    | {
        readonly kind: 'sql'
        readonly sql: string
        /** The person was told that it reads much, and wants it run. */
        readonly evenIfHeavy: boolean
      }
    | { readonly kind: 'pick'; readonly candidateId: string }
  /** What was wrong with the answer, where the form says so. */
  readonly reason: { readonly reason: FeedbackReason; readonly note: string | null } | null
}

/**
 * How a change ended that was left to a job. `broken`: it was tried as often as it may be, and the reason is for the
 * person's eyes. `unshown`: the change was made and stands, and only the message could not be changed.
 */
export type RevisionOutcome =
  | RevisionResult
  | { readonly status: 'broken'; readonly reason: string }
  | { readonly status: 'unshown' }

/** Changes an answer while somebody waits, or after. What has changed is shown by a job either way. */
export interface ReviseAnswer {
  /** Tries it for as long as `signal` lets it. The change and the job that shows it are written together. */
  now(wanted: RevisionRequest, signal?: AbortSignal): Promise<RevisionResult>
  /** Stores that what was tried is to be done; only then may it be acknowledged. */
  later(wanted: RevisionRequest): Promise<void>
  /** As `later`, for what nobody tried: it is counted, and whoever clicks too much is told so. Null once it is stored. */
  click(wanted: RevisionRequest): Promise<NotAllowed | null>
}
