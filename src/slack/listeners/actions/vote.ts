import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import { z } from 'zod'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { feedbackModal } from '../../views/feedback-modal.ts'
import type { Background } from '../background.ts'
import { isClickOnQuestion, readClick } from '../click.ts'

/** Bolt's types know no `feedback_buttons` action yet; its payload is read as what it must be. */
const VoteAction = z.object({ value: z.string().regex(/^(up|down):./) })

/**
 * A vote on an answer: one a person, the last one counts, and the count is shown on the answer. Whoever finds it wrong
 * may say why, pick another result or give the SQL.
 */
export const makeVoteClick =
  (
    {
      findAnswered,
      vote,
      otherResults,
      delivery,
    }: Pick<AnswerUseCases, 'findAnswered' | 'vote' | 'otherResults'> & Pick<SlackUseCases, 'delivery'>,
    background: Background,
  ) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs): Promise<void> => {
    const given = VoteAction.safeParse(action)
    const click = readClick(body)
    if (given.success && click) {
      const [direction, questionId = ''] = given.data.value.split(/:(.*)/s)
      const answered = await findAnswered(questionId)
      if (answered && isClickOnQuestion(click, answered)) {
        await vote({ questionId, person: click.person, vote: direction === 'up' ? 'up' : 'down' })
        background.run('showing votes', () => delivery.refresh(questionId))
        if (direction === 'down') {
          // The vote stands, whether anybody can be asked why or not.
          background.run('asking why', async () => {
            const view = feedbackModal({ questionId, others: await otherResults(questionId, click.person) })
            await client.views.open({ trigger_id: body.trigger_id, view: view as View })
          })
        }
      }
    }
    // Acknowledged after the vote is stored: if that failed, Slack says so to the person.
    await ack()
  }
