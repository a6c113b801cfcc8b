import type {
  InSameTransaction,
  PickResult,
  RerunSql,
  ReviseAnswer,
  RevisionOutcome,
  RevisionRequest,
  RevisionResult,
} from '../domain/answer-revision.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Feedback, RecordFeedback } from '../domain/feedback.ts'
import type { JobData } from '../domain/operations/jobs.ts'
import type { Tx } from '../domain/operations/transaction.ts'
import type { FindRefusal } from './require-permission.ts'

/** What changes answers, each held to the rights of whoever wants it. */
export interface Revisers {
  readonly rerunSql: RerunSql
  readonly fixSql: RerunSql
  readonly pickResult: PickResult
}

/** Slack has to have heard that the form may wait before it is told how it ended. */
const START_DELAY_SECONDS = 1

/** Names a submission among the changes of an answer. */
const revisionRequestKey = ({ by, submission }: Pick<RevisionRequest, 'by' | 'submission'>): string =>
  `${by} ${submission}`

/** Changes an answer as somebody wants it. */
const applyRevision = (
  { rerunSql, fixSql, pickResult }: Revisers,
  request: RevisionRequest,
  options: { readonly alongside?: InSameTransaction; readonly signal?: AbortSignal },
): Promise<RevisionResult> => {
  const { questionId, person, change } = request
  const given = { questionId, person, request: revisionRequestKey(request), ...options }
  if (change.kind === 'pick') return pickResult({ ...given, candidateId: change.candidateId })
  const { sql, evenIfHeavy } = change
  return (request.by === 'fix' ? fixSql : rerunSql)({ ...given, sql, evenIfHeavy })
}

/** Makes the use case: whatever becomes of the process, what was acknowledged is done and shown. */
export const makeReviseAnswer = (deps: {
  readonly revisers: Revisers
  /** Counts a click of a person on an answer. */
  readonly limitClick: FindRefusal
  readonly send: (
    job: JobData['revise'],
    options: { readonly tx?: Tx; readonly startAfterSeconds?: number },
  ) => Promise<void>
}): ReviseAnswer => ({
  now: (request, signal) =>
    applyRevision(deps.revisers, request, {
      alongside: tx => deps.send({ ...request, tells: false }, { tx }),
      ...(signal && { signal }),
    }),
  later: request => deps.send({ ...request, tells: true }, { startAfterSeconds: START_DELAY_SECONDS }),
  click: async request => {
    const tooMuch = await deps.limitClick(request.questionId, request.person)
    if (tooMuch) return tooMuch
    await deps.send({ ...request, tells: true }, {})
    return null
  },
})

/** Changes an answer as a job, and shows it. Rejects where another attempt may do better. */
export type ApplyRevision = (
  job: JobData['revise'],
  attempt: { readonly signal: AbortSignal; readonly lastAttempt: boolean },
) => Promise<void>

/** A change that stands; `groupKey` as `ExecutionGroup.key`, null where its rows are no longer kept. */
interface CurrentRevision {
  readonly groupKey: string | null
}

/**
 * Makes the use case. The row of the change tells whether it was made, by whoever tried before: its SQL is then not run
 * again, and only what comes after is done. All of that may be done twice.
 */
export const makeApplyRevision =
  (deps: {
    readonly revisers: Revisers
    readonly findCurrent: (questionId: string, request: string) => Promise<CurrentRevision | null>
    readonly showAnswer: (questionId: string) => Promise<void>
    readonly feedback: RecordFeedback
    /** Tells whoever submitted it, and nobody else. Does not reject. */
    readonly notify: (request: RevisionRequest, ended: RevisionOutcome | 'done') => Promise<void>
    /** Whether trying again cannot help. */
    readonly isPermanent: (error: unknown) => boolean
  }): ApplyRevision =>
  async ({ tells, ...request }, { signal, lastAttempt }) => {
    const { questionId, person } = request
    const notify: typeof deps.notify = async (...args) => {
      if (tells) await deps.notify(...args)
    }
    const storeFeedback = async (feedback: Feedback): Promise<void> =>
      void (await deps.feedback({ questionId, person, feedback, signal }))
    const storeReason = async (): Promise<void> => {
      if (request.reason) await storeFeedback({ kind: 'reason', ...request.reason })
    }
    let stage: 'making' | 'made' | 'shown' = 'making'
    try {
      const requestKey = revisionRequestKey(request)
      let current = await deps.findCurrent(questionId, requestKey)
      if (!current) {
        const revised = await applyRevision(deps.revisers, request, { signal })
        if (revised.status === 'revised') current = revised
        // Whoever was to give up on it had changed the answer already.
        else if (revised.status === 'late') current = await deps.findCurrent(questionId, requestKey)
        if (!current) {
          // The form in which it is decided whether it runs knows nothing of the rest of the one before.
          if (revised.status === 'too-heavy') await storeReason()
          return await notify(request, revised)
        }
      }
      stage = 'made'
      // A fix is shown by the job that carries out the decision.
      if (request.by !== 'fix') await deps.showAnswer(questionId)
      stage = 'shown'
      await storeReason()
      if (current.groupKey !== null) await storeFeedback(feedbackOf(request, current.groupKey))
      await notify(request, 'done')
    } catch (error) {
      signal.throwIfAborted()
      if (lastAttempt || deps.isPermanent(error)) {
        if (stage === 'making') await notify(request, { status: 'broken', reason: failureReason(error) })
        // Whoever saw the form close believes that the message shows it.
        else if (stage === 'made') await deps.notify(request, { status: 'unshown' })
        else await notify(request, 'done')
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
  error instanceof QuerentError ? error.message : 'something went wrong on my side. Try again in a moment.'
