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
import type { JobData, Tx } from '../domain/operations/jobs.ts'
import type { FindRefusal } from './require-permission.ts'

/** The functions that change answers, each requiring permission. */
export interface Revisers {
  readonly rerunSql: RerunSql
  readonly fixSql: RerunSql
  readonly pickResult: PickResult
}

/** Slack must have acknowledged the form before it gets the outcome. */
const START_DELAY_SECONDS = 1

/** Key of a submission among the changes of an answer. */
const revisionRequestKey = ({ by, submission }: Pick<RevisionRequest, 'by' | 'submission'>): string =>
  `${by} ${submission}`

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

/** An acknowledged change is made and shown even if the process dies. */
export const makeReviseAnswer = (deps: {
  readonly revisers: Revisers
  /** Counts a person's click on an answer. */
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

/** Changes an answer in a job, and shows it. Rejects if another attempt may help. */
export type ApplyRevision = (
  job: JobData['revise'],
  attempt: { readonly signal: AbortSignal; readonly lastAttempt: boolean },
) => Promise<void>

/** The current change; `groupKey` as `ExecutionGroup.key`, null if its rows have expired. */
interface CurrentRevision {
  readonly groupKey: string | null
}

/**
 * The stored revision shows whether an earlier attempt already made the change; its SQL is then not run again, and only
 * the steps after it are repeated. Those can be repeated safely.
 */
export const makeApplyRevision =
  (deps: {
    readonly revisers: Revisers
    readonly findCurrent: (questionId: string, request: string) => Promise<CurrentRevision | null>
    readonly showAnswer: (questionId: string) => Promise<void>
    readonly feedback: RecordFeedback
    /** Tells only the person who submitted it. Does not reject. */
    readonly notify: (request: RevisionRequest, ended: RevisionOutcome | 'done') => Promise<void>
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
        // An attempt that was given up had already changed the answer.
        else if (revised.status === 'late') current = await deps.findCurrent(questionId, requestKey)
        if (!current) {
          // The form that asks whether to run it no longer knows this reason.
          if (revised.status === 'too-heavy') await storeReason()
          return await notify(request, revised)
        }
      }
      stage = 'made'
      // The job that carries out the decision shows a fix.
      if (request.by !== 'fix') await deps.showAnswer(questionId)
      stage = 'shown'
      await storeReason()
      if (current.groupKey !== null) await storeFeedback(feedbackOf(request, current.groupKey))
      await notify(request, 'done')
    } catch (error) {
      signal.throwIfAborted()
      if (lastAttempt || deps.isPermanent(error)) {
        if (stage === 'making') await notify(request, { status: 'broken', reason: failureReason(error) })
        // The form closed, so the person believes that the message shows the change.
        else if (stage === 'made') await deps.notify(request, { status: 'unshown' })
        else await notify(request, 'done')
      }
      throw error
    }
  }

/** The feedback that a change implies. */
const feedbackOf = ({ by, change }: RevisionRequest, groupKey: string): Feedback =>
  change.kind === 'pick'
    ? { kind: 'alternative', groupKey }
    : { kind: by === 'edit' ? 'edit' : 'sql', sql: change.sql, groupKey }

const failureReason = (error: unknown): string =>
  error instanceof QuerentError ? error.message : 'something went wrong on my side. Try again in a moment.'
