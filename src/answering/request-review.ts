import type { FindAnsweredQuestion } from '../domain/answer.ts'
import type {
  DecideReview,
  RequestReview,
  ReviewChannel,
  ReviewDecision,
  ReviewRequest,
} from '../domain/feedback.ts'
import type { JobData, SendJob } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { ProposeVerified } from '../domain/verified-query.ts'

/** Makes the use case: the request and the job that posts it are written together, so neither outlives the other. */
export const makeRequestReview =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    /** Where people look at answers; null where nobody does. */
    readonly channel: string | null
    readonly inTransaction: InTransaction
    readonly insertRequest: (request: Omit<ReviewRequest, 'decided'>, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly now: () => Date
  }): RequestReview =>
  async ({ questionId, person }) => {
    const { channel } = deps
    if (channel === null) return 'nobody'
    const answered = await deps.findAnswered(questionId)
    if (!answered) return 'gone'
    const { sql, resultId, headline } = answered
    return deps.inTransaction(async tx => {
      const request = { questionId, channel, sql, resultId, headline, askedBy: person, askedAt: deps.now() }
      if (!(await deps.insertRequest(request, tx))) return 'already'
      await deps.sendJob('human', { questionId, step: 'asked' }, { tx })
      return 'asked'
    })
  }

/** Makes the use case: the first decision is written with the job that carries it out; a second finds it taken. */
export const makeDecideReview =
  (deps: {
    readonly inTransaction: InTransaction
    readonly findRequest: (questionId: string, tx: Tx) => Promise<ReviewRequest | null>
    readonly decide: (
      questionId: string,
      decided: {
        readonly decision: ReviewDecision
        readonly by: string
        readonly at: Date
        readonly reason: string | null
      },
      tx: Tx,
    ) => Promise<boolean>
    readonly sendJob: SendJob
    readonly now: () => Date
  }): DecideReview =>
  ({ questionId, decision, person, reason }) =>
    deps.inTransaction(async tx => {
      if (!(await deps.findRequest(questionId, tx))) return 'gone'
      const decided = { decision, by: person, at: deps.now(), reason }
      if (!(await deps.decide(questionId, decided, tx))) return 'late'
      await deps.sendJob('human', { questionId, step: 'decided' }, { tx })
      return 'taken'
    })

/** Does what a request or a decision asks for. May be called again for the same job: every step of it is harmless twice. */
export type PostReview = (job: JobData['human'], signal: AbortSignal) => Promise<void>

/**
 * Makes the use case: show the request; once decided, keep what was approved, and answer the thread. The thread of a
 * question that was taken back meanwhile is told nothing: its answer is gone, or is another one.
 */
export const makePostReview =
  (deps: {
    readonly findRequest: (questionId: string) => Promise<ReviewRequest | null>
    readonly isWithdrawn: (questionId: string) => Promise<boolean>
    readonly removeRequest: (questionId: string) => Promise<unknown>
    readonly proposeVerified: ProposeVerified
    readonly channel: ReviewChannel
    /** Shows the answer again. */
    readonly refresh: (questionId: string) => Promise<void>
    readonly log: Log
  }): PostReview =>
  async ({ questionId }, signal) => {
    const request = await deps.findRequest(questionId)
    if (!request) return
    const isWithdrawn = await deps.isWithdrawn(questionId)
    if (isWithdrawn && !request.decided) return
    const isShown = await deps.channel.show(request)
    if (!request.decided) {
      if (isShown) return
      // Once the channel can be reached, the same answer may be asked about again.
      await deps.channel.notifyUnavailable(request)
      await deps.removeRequest(questionId)
      return
    }
    if (request.decided.decision === 'approved') await saveApproved(deps, request, request.decided.by, signal)
    if (isWithdrawn) return
    await deps.refresh(questionId)
    await deps.channel.notifyDecision(request)
  }

/** An approved answer is there for the next who asks the same. That it cannot be kept is no reason not to tell. */
const saveApproved = async (
  { proposeVerified, log }: { readonly proposeVerified: ProposeVerified; readonly log: Log },
  { questionId, sql }: ReviewRequest,
  person: string,
  signal: AbortSignal,
): Promise<void> => {
  const saved = await proposeVerified({ questionId, person, status: 'accepted', sql, signal })
  if (saved.status === 'unfit')
    log.warn({ questionId, reason: saved.reason }, 'could not save an approved answer as a verified query')
}
