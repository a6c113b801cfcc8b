import { QuerentError } from '../../core/errors.ts'
import type { Feedback, RecordFeedback } from '../../core/feedback.ts'
import type { JobData } from '../../core/job.ts'
import type { RevisionOutcome, RevisionRequest } from '../../core/wanted-revision.ts'
import { applyRevision, type Revisers, revisionRequestKey } from './revise-answer.ts'

/** Changes an answer as a job, and shows it. Rejects where another attempt may do better. */
export type ApplyRevision = (
  job: JobData['revise'],
  attempt: { readonly signal: AbortSignal; readonly lastAttempt: boolean },
) => Promise<void>

/** A change that stands; `groupKey` as `ExecutionGroup.key`, null where its rows are no longer kept. */
export interface CurrentRevision {
  readonly groupKey: string | null
}

/**
 * Makes the use case. The row of the change tells whether it was made, by whoever tried before: its SQL is then not run
 * again, and only what comes after is done. All of that may be done twice.
 */
export const makeApplyRevision =
  (deps: {
    readonly revisers: Revisers
    readonly findStanding: (questionId: string, request: string) => Promise<CurrentRevision | null>
    readonly showAnswer: (questionId: string) => Promise<void>
    readonly feedback: RecordFeedback
    /** Tells whoever submitted it, and nobody else. Does not reject. */
    readonly tell: (wanted: RevisionRequest, ended: RevisionOutcome | 'done') => Promise<void>
    /** Whether trying again cannot help. */
    readonly isPermanent: (error: unknown) => boolean
  }): ApplyRevision =>
  async ({ tells, ...wanted }, { signal, lastAttempt }) => {
    const { questionId, person } = wanted
    const tell: typeof deps.tell = async (...told) => {
      if (tells) await deps.tell(...told)
    }
    const keep = async (feedback: Feedback): Promise<void> =>
      void (await deps.feedback({ questionId, person, feedback, signal }))
    const keepReason = async (): Promise<void> => {
      if (wanted.reason) await keep({ kind: 'reason', ...wanted.reason })
    }
    let stage: 'making' | 'made' | 'shown' = 'making'
    try {
      const request = revisionRequestKey(wanted)
      let standing = await deps.findStanding(questionId, request)
      if (!standing) {
        const revised = await applyRevision(deps.revisers, wanted, { signal })
        if (revised.status === 'revised') standing = revised
        // Whoever was to give up on it had changed the answer already.
        else if (revised.status === 'late') standing = await deps.findStanding(questionId, request)
        if (!standing) {
          // The form in which it is decided whether it runs knows nothing of the rest of the one before.
          if (revised.status === 'too-heavy') await keepReason()
          return await tell(wanted, revised)
        }
      }
      stage = 'made'
      // A fix is shown by the job that carries out the decision.
      if (wanted.by !== 'fix') await deps.showAnswer(questionId)
      stage = 'shown'
      await keepReason()
      if (standing.groupKey !== null) await keep(feedbackOf(wanted, standing.groupKey))
      await tell(wanted, 'done')
    } catch (error) {
      signal.throwIfAborted()
      if (lastAttempt || deps.isPermanent(error)) {
        if (stage === 'making') await tell(wanted, { status: 'broken', reason: failureReason(error) })
        // Whoever saw the form close believes that the message shows it.
        else if (stage === 'made') await deps.tell(wanted, { status: 'unshown' })
        else await tell(wanted, 'done')
      }
      throw error
    }
  }

/** What a change says about the answers that there were. */
const feedbackOf = ({ by, change }: RevisionRequest, groupKey: string): Feedback =>
  change.kind === 'pick'
    ? { kind: 'alternative', groupKey }
    : { kind: by === 'edit' ? 'edit' : 'sql', sql: change.sql, groupKey }

const failureReason = (error: unknown): string =>
  error instanceof QuerentError ? error.message : 'something broke on my side. Try again in a moment.'
