import type { NotAllowed } from './access.ts'
import type { RevisionResult } from './answer-revision.ts'
import type { FeedbackReason } from './feedback.ts'

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
