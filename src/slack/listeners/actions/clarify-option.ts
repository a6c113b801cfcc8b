import type { SlackUseCases } from '../../use-cases.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { isClickOnQuestion, readClick } from '../click.ts'
import { notifyOnlyAskerChooses } from '../tell-only-asker.ts'

/** One of the options of a question back. The asker chooses; of two clicks the first counts. */
export const makeClarificationOptionClick =
  ({ findPlaced, reply }: Pick<SlackUseCases, 'findPlaced' | 'reply'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const [, questionId = '', number = ''] = /^(.*):(\d+)$/.exec(action.value ?? '') ?? []
    const click = readClick(body)
    const placed = click && questionId ? await findPlaced(questionId) : null
    if (click && placed && isClickOnQuestion(click, placed)) {
      if (placed.question.askedBy === click.person) {
        await reply({
          questionId,
          reply: { kind: 'option', number: Number(number) },
          repliedBy: click.person,
        })
      } else {
        await notifyOnlyAskerChooses(client, click, placed)
      }
    }
    await ack()
  }
