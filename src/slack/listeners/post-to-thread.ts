import { privateAnswerTexts } from '../copy/answer.ts'
import { withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases, SlackUseCases } from '../use-cases.ts'
import { notPostedText } from '../views/private-answer.ts'
import { type Background, type ButtonClickArgs, findClickedAnswer } from './clicks-and-forms.ts'

/**
 * `Post to thread`, below an answer that went to its asker alone. Who is in the channel now is looked up again, and so is
 * what the asker may see.
 */
export const makePostToThreadClick =
  (
    deps: Pick<AnswerUseCases, 'findAnswered' | 'findRefusal' | 'showAnswer'> &
      Pick<SlackUseCases, 'delivery'>,
    background: Background,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const clicked = await findClickedAnswer(deps.findAnswered, body, action)
    if (!clicked) return
    const { click, answered } = clicked
    const questionId = answered.question.id
    background.run('posting an answer to its thread', async () => {
      if (click.person !== answered.question.askedBy)
        return sendEphemeral(client, click, privateAnswerTexts.onlyAsker)
      const refused = await deps.findRefusal(questionId, click.person)
      if (refused) return sendEphemeral(client, click, withNextStep(refused))
      const audience = await deps.delivery.share(answered)
      if (audience.kind === 'some') return sendEphemeral(client, click, notPostedText(audience))
      await deps.showAnswer(questionId)
      await sendEphemeral(client, click, privateAnswerTexts.posted)
    })
  }
