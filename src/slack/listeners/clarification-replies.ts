import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { LocatedQuestion } from '../../domain/message.ts'
import { onlyAskerCanChoose, somethingElseForm } from '../copy/clarification.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { somethingElseIds, somethingElseModal } from '../views/clarification.ts'
import { type ButtonClickArgs, type Click, isClickOnQuestion, readClick } from './clicks.ts'

/** One of the options of a question back. Only the asker chooses; of two clicks the first counts. */
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
    const view = somethingElseModal(questionId, placed.question.text)
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }

/** `Something else…`, submitted: the reply to the question back, unless there is one already. */
export const makeSomethingElseSubmitted =
  ({ findPlaced, reply }: Pick<SlackUseCases, 'findPlaced' | 'reply'>) =>
  async ({ ack, body, view }: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const text = view.state.values[somethingElseIds.block]?.[somethingElseIds.action]?.value?.trim() ?? ''
    if (text === '') {
      await ack({ response_action: 'errors', errors: { [somethingElseIds.block]: somethingElseForm.empty } })
      return
    }
    const placed = await findPlaced(view.private_metadata)
    if (placed?.question.askedBy === body.user.id && placed.location.team === body.team?.id) {
      await reply({
        questionId: placed.question.id,
        reply: { kind: 'text', text },
        repliedBy: body.user.id,
      })
    }
    await ack()
  }

/** Tells the person who clicked, privately, that only the asker chooses. */
const notifyOnlyAskerChooses = async (
  client: WebClient,
  click: Click,
  placed: LocatedQuestion,
): Promise<void> => {
  await client.chat.postEphemeral({
    channel: click.channel,
    user: click.person,
    thread_ts: click.thread,
    text: onlyAskerCanChoose(placed.question.askedBy && `<@${placed.question.askedBy}>`),
  })
}
