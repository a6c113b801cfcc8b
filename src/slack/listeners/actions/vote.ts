import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import type { SlackUseCases } from '../../use-cases.ts'
import type { Background } from '../background.ts'
import { isClickOn, readClick } from '../click.ts'

/** Bolt's types know no `feedback_buttons` action yet; its payload is read as what it must be. */
const feedback = z.object({ value: z.string().regex(/^(up|down):./) })

/** A vote on an answer: one a person, the last one counts, and the count is shown on the answer. */
export const makeVote =
  (
    { findAnswered, vote, delivery }: Pick<SlackUseCases, 'findAnswered' | 'vote' | 'delivery'>,
    background: Background,
  ) =>
  async ({
    ack,
    action,
    body,
  }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs): Promise<void> => {
    const given = feedback.safeParse(action)
    const click = readClick(body)
    if (given.success && click) {
      const [direction, questionId = ''] = given.data.value.split(/:(.*)/s)
      const answered = await findAnswered(questionId)
      if (answered && isClickOn(click, answered)) {
        await vote({ questionId, person: click.person, vote: direction === 'up' ? 'up' : 'down' })
        background.run('showing votes', () => delivery.refresh(questionId))
      }
    }
    // Acknowledged after the vote is stored: if that failed, Slack says so to the person.
    await ack()
  }
