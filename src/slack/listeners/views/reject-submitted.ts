import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { rejectFormIds } from '../../views/reject-modal.ts'
import type { Background } from '../background.ts'
import { findSubmittedAnswer } from '../on-submitted-answer.ts'
import { formatDecisionRefusal } from '../say-not-taken.ts'

/** `Reject`, submitted: the decision is stored with the job that tells the thread. */
export const makeRejectSubmitted =
  (
    {
      findAnswered,
      decideRequest,
      feedback,
    }: Pick<AnswerUseCases, 'findAnswered' | 'decideRequest' | 'feedback'>,
    background: Background,
  ) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const reason = view.state.values[rejectFormIds.block]?.[rejectFormIds.action]?.value?.trim() ?? ''
    const says = (error: string) =>
      ack({ response_action: 'errors', errors: { [rejectFormIds.block]: error } })
    if (reason === '') return says('Write what is wrong with it.')
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (answered) {
      const questionId = answered.question.id
      const person = body.user.id
      const taken = await decideRequest({ questionId, decision: 'rejected', person, reason })
      if (taken !== 'taken') return says(formatDecisionRefusal(taken))
      background.run('noting a rejection', () =>
        feedback({ questionId, person, feedback: { kind: 'reason', reason: 'other', note: reason } }),
      )
    }
    await ack()
  }
