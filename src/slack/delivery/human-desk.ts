import type { FindAnswered } from '../../core/answered-question.ts'
import type { HumanDesk } from '../../core/human-request.ts'
import type { Log } from '../../core/log.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import { humanDecisionView, humanRequestView, humansUnreachableView } from '../views/human-request.ts'
import type { ChangeMessage } from './change-message.ts'
import type { PostStep } from './post-step.ts'
import { channelUnreachable } from './unreachable.ts'

/** Makes the desk: a message in the channel where people look at answers, and one in the thread once they have. */
export const makeHumanDesk = (deps: {
  readonly postStep: PostStep
  readonly change: ChangeMessage
  readonly findAnswered: FindAnswered
  readonly loadResult: LoadResult
  readonly log: Log
}): HumanDesk => ({
  show: async request => {
    const { questionId, channel } = request
    const answered = await deps.findAnswered(questionId)
    if (!answered) return true
    const table = await deps.loadResult(request.resultId)
    const message = humanRequestView({ request, question: answered.question, table })
    try {
      const ts = await deps.postStep({ questionId, step: 'human', channel }, message)
      await deps.change({ channel, ts }, message)
      return true
    } catch (error) {
      if (channelUnreachable(error) === null) throw error
      deps.log.warn({ error, channel }, 'the channel where people look at answers cannot be reached')
      return false
    }
  },

  apologise: async ({ questionId, askedAt }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return
    const { channel, thread } = answered.place
    await deps.postStep(
      { questionId, step: `human-unreachable ${askedAt.toISOString()}`, channel, thread },
      humansUnreachableView,
    )
  },

  tell: async request => {
    const { questionId, decided } = request
    const answered = decided && (await deps.findAnswered(questionId))
    if (!answered) return
    const { channel, thread } = answered.place
    await deps.postStep(
      { questionId, step: 'human-decision', channel, thread },
      humanDecisionView(request, decided, answered.headline),
    )
  },
})
