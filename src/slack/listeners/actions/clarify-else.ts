import type { View } from '@slack/types'
import type { SlackUseCases } from '../../use-cases.ts'
import { somethingElseModal } from '../../views/something-else-modal.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { isClickOnQuestion, readClick } from '../click.ts'
import { notifyOnlyAskerChooses } from '../tell-only-asker.ts'

/** `Something else…`: asks for the reply in a modal. */
export const makeSomethingElseClick =
  ({ findPlaced }: Pick<SlackUseCases, 'findPlaced'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const questionId = action.value ?? ''
    const click = readClick(body)
    const placed = await findPlaced(questionId)
    if (!click || !placed || !isClickOnQuestion(click, placed)) return
    if (placed.question.askedBy !== click.person) return notifyOnlyAskerChooses(client, click, placed)
    const view = somethingElseModal(questionId, `What do you mean by “${placed.question.text}”?`)
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }
