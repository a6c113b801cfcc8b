import type { FindAnsweredQuestion } from '../domain/answer.ts'
import type {
  DecideReview,
  RequestReview,
  ReviewChannel,
  ReviewDecision,
  ReviewRequest,
} from '../domain/feedback.ts'
import type { InTransaction, JobData, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ProposeVerified } from '../domain/verified-query.ts'

/** The request and the job that posts it are written together, so neither exists without the other. */
export const makeRequestReview =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    /** The review channel; null if there is none. */
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

/** The first decision is written with the job that carries it out; a second one comes too late. */
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

/** Carries out a request or a decision. Every step can be repeated safely for the same job. */
export type PostReview = (job: JobData['human'], signal: AbortSignal) => Promise<void>

/**
 * Shows the request; once decided, saves what was approved and answers the thread. Nothing is posted if the question
 * was withdrawn meanwhile: its answer is gone or replaced.
 */
export const makePostReview =
  (deps: {
    readonly findRequest: (questionId: string) => Promise<ReviewRequest | null>
    readonly isWithdrawn: (questionId: string) => Promise<boolean>
    readonly removeRequest: (questionId: string) => Promise<unknown>
    readonly proposeVerified: ProposeVerified
    /** Who asked the question; null if that is not known. */
    readonly findAsker: (questionId: string) => Promise<string | null>
    readonly isAdmin: (person: string) => boolean
    readonly channel: ReviewChannel
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
      // Removed so that the same answer can be sent for review once the channel can be reached.
      await deps.channel.notifyUnavailable(request)
      await deps.removeRequest(questionId)
      return
    }
    if (request.decided.decision === 'approved') await saveApproved(deps, request, request.decided.by, signal)
    if (isWithdrawn) return
    await deps.refresh(questionId)
    await deps.channel.notifyDecision(request)
  }

/**
 * Saves an approved answer as a verified query. Nobody's own word is enough to answer everyone: approved by the person
 * who asked, or who asked for the review, it waits for an admin. If saving fails, the decision is still posted.
 */
const saveApproved = async (
  {
    proposeVerified,
    findAsker,
    isAdmin,
    log,
  }: Pick<Parameters<typeof makePostReview>[0], 'proposeVerified' | 'findAsker' | 'isAdmin' | 'log'>,
  { questionId, sql, askedBy }: ReviewRequest,
  person: string,
  signal: AbortSignal,
): Promise<void> => {
  const isOwn = person === askedBy || person === (await findAsker(questionId))
  const status = isOwn && !isAdmin(person) ? 'proposed' : 'accepted'
  const saved = await proposeVerified({ questionId, person, status, sql, signal })
  if (saved.status === 'unfit')
    log.warn({ questionId }, 'could not save an approved answer as a verified query')
}
