import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../../use-cases.ts'
import { somethingElseIds } from '../../views/something-else-modal.ts'

/** The words of `Something else…`: the one reply of the question, if nobody was faster. */
export const makeSomethingElseSubmitted =
  ({ findPlaced, reply }: Pick<SlackUseCases, 'findPlaced' | 'reply'>) =>
  async ({ ack, body, view }: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const text = view.state.values[somethingElseIds.block]?.[somethingElseIds.action]?.value?.trim() ?? ''
    if (text === '') {
      await ack({ response_action: 'errors', errors: { [somethingElseIds.block]: 'Write what you mean.' } })
      return
    }
    const placed = await findPlaced(view.private_metadata)
    if (placed?.question.askedBy === body.user.id && placed.place.team === body.team?.id) {
      await reply({
        questionId: placed.question.id,
        reply: { kind: 'text', text },
        repliedBy: body.user.id,
      })
    }
    await ack()
  }
