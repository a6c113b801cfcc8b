import type { FindAnsweredQuestion } from '../../domain/answer.ts'
import type { ReviewChannel } from '../../domain/feedback.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LoadResult } from '../../domain/result.ts'
import { reviewDecisionView, reviewersUnreachableView, reviewRequestView } from '../views/review.ts'
import type { PostStepMessage } from './idempotent-post.ts'
import type { UpdateMessage } from './post-message.ts'
import { unreachableChannelCode } from './slack-errors.ts'

/** Posts a review request in the review channel, and the decision in the thread of the question. */
export const makeReviewChannel = (deps: {
  readonly postStep: PostStepMessage
  readonly update: UpdateMessage
  readonly findAnswered: FindAnsweredQuestion
  readonly loadResult: LoadResult
  readonly log: Log
}): ReviewChannel => ({
  show: async request => {
    const { questionId, channel } = request
    const answered = await deps.findAnswered(questionId)
    if (!answered) return true
    const table = await deps.loadResult(request.resultId)
    const message = reviewRequestView({ request, question: answered.question, table })
    try {
      const ts = await deps.postStep({ questionId, step: 'human', channel }, message)
      await deps.update({ channel, ts }, message)
      return true
    } catch (error) {
      if (unreachableChannelCode(error) === null) throw error
      deps.log.warn({ error, channel }, 'the review channel cannot be reached')
      return false
    }
  },

  notifyUnavailable: async ({ questionId, askedAt }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return
    const { channel, thread } = answered.location
    await deps.postStep(
      { questionId, step: `human-unreachable ${askedAt.toISOString()}`, channel, thread },
      reviewersUnreachableView,
    )
  },

  notifyDecision: async request => {
    const { questionId, decided } = request
    const answered = decided && (await deps.findAnswered(questionId))
    if (!answered) return
    const { channel, thread } = answered.location
    await deps.postStep(
      { questionId, step: 'human-decision', channel, thread },
      reviewDecisionView(request, decided, answered.headline),
    )
  },
})
