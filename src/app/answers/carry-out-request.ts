import type { ReviewChannel, ReviewRequest } from '../../core/human-request.ts'
import type { JobData } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import type { ProposeVerified } from '../verified/propose-verified.ts'

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
    readonly desk: ReviewChannel
    /** Shows the answer again. */
    readonly refresh: (questionId: string) => Promise<void>
    readonly log: Log
  }): PostReview =>
  async ({ questionId }, signal) => {
    const request = await deps.findRequest(questionId)
    if (!request) return
    const isWithdrawn = await deps.isWithdrawn(questionId)
    if (isWithdrawn && !request.decided) return
    const isShown = await deps.desk.show(request)
    if (!request.decided) {
      if (isShown) return
      // Once the channel can be reached, the same answer may be asked about again.
      await deps.desk.notifyUnavailable(request)
      await deps.removeRequest(questionId)
      return
    }
    if (request.decided.decision === 'approved') await saveApproved(deps, request, request.decided.by, signal)
    if (isWithdrawn) return
    await deps.refresh(questionId)
    await deps.desk.notifyDecision(request)
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
    log.warn({ questionId, reason: saved.reason }, 'an approved answer was not kept')
}
