import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  SlackViewMiddlewareArgs,
  StaticSelectAction,
} from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { LocatedQuestion } from '../../domain/message.ts'
import type { StopResult } from '../../domain/question.ts'
import {
  nothingToStopText,
  onlyAskerCanChoose,
  onlyAskerCanStop,
  privateAnswerTexts,
  somethingElseForm,
} from '../copy/answer.ts'
import { withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases, SlackUseCases } from '../use-cases.ts'
import { notPostedText } from '../views/private-answer.ts'
import { somethingElseIds, somethingElseModal } from '../views/replies.ts'
import { sqlModal } from '../views/sql-modal.ts'
import {
  type Background,
  type ButtonClickArgs,
  type Click,
  findClickedAnswer,
  findReadableAnswer,
  isClickOnQuestion,
  readClick,
} from './clicks-and-forms.ts'

/** `Show SQL`: the statement behind the answer, in a modal. */
export const makeShowSqlClick =
  (deps: Pick<SlackUseCases, 'findAnswered' | 'findRefusal'>) =>
  async (args: ButtonClickArgs): Promise<void> => {
    const { ack, body, client } = args
    await ack()
    const clicked = await findReadableAnswer(deps, args)
    if (!clicked) return
    await client.views.open({ trigger_id: body.trigger_id, view: sqlModal(clicked.answered) as View })
  }

/**
 * `Export CSV`: the whole result as a file in the thread. Reading and uploading may take longer than Slack waits, so a
 * job does it, stored before the click is acknowledged. A double click makes one file.
 */
export const makeExportCsvClick =
  ({ findAnswered, sendExport }: Pick<SlackUseCases, 'findAnswered' | 'sendExport'>) =>
  async ({ ack, action, body }: ButtonClickArgs): Promise<void> => {
    const clicked = await findClickedAnswer(findAnswered, body, action)
    if (clicked) {
      const { person, channel, thread } = clicked.click
      await sendExport({ questionId: clicked.answered.question.id, person, channel, thread })
    }
    await ack()
  }

/** `Run again`: the question is answered again in the same message. A second click changes nothing. */
export const makeRunAgainClick =
  ({ findAnswered, runAgain }: Pick<SlackUseCases, 'findAnswered' | 'runAgain'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const clicked = await findClickedAnswer(findAnswered, body, action)
    if (!clicked) return ack()
    const { click, answered } = clicked
    const done = await runAgain({ questionId: answered.question.id, person: click.person })
    // Acknowledged only once it is stored: if that failed, Slack tells the person.
    await ack()
    if (done.status === 'not-allowed') await sendEphemeral(client, click, withNextStep(done))
  }

/**
 * `Change to…` beside an assumption: another interpretation of the question replaces the answer. Its rows may have to be
 * read again, so a job does it, stored before the click is acknowledged.
 */
export const makeChangeInterpretation =
  ({ findAnswered, reviseAnswer }: Pick<AnswerUseCases, 'findAnswered' | 'reviseAnswer'>) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<StaticSelectAction>> & AllMiddlewareArgs): Promise<void> => {
    const [questionId = '', candidateId = ''] = (action.selected_option?.value ?? '').split(/:(.*)/s)
    const click = readClick(body)
    const answered = click && questionId ? await findAnswered(questionId) : null
    if (!click || !answered || !isClickOnQuestion(click, answered)) return ack()
    const refused = await reviseAnswer.click({
      questionId,
      person: click.person,
      by: 'reading',
      submission: action.action_ts,
      change: { kind: 'pick', candidateId },
      reason: null,
    })
    await ack()
    if (refused) await sendEphemeral(client, click, withNextStep(refused))
  }

/** `Stop`: for the asker and for admins. Anyone else, or a click that comes too late, gets a private notice. */
export const makeStopClick =
  ({ findPlaced, stop }: Pick<SlackUseCases, 'findPlaced' | 'stop'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const click = readClick(body)
    const placed = click && action.value ? await findPlaced(action.value) : null
    if (!click || !placed || !isClickOnQuestion(click, placed)) return ack()
    const reply = await stop({ questionId: placed.question.id, person: click.person })
    // Acknowledged only once the stop is stored: if that failed, Slack tells the person.
    await ack()
    const text = formatStopReply(reply, placed.question.askedBy)
    if (text === null) return
    await client.chat.postEphemeral({
      channel: click.channel,
      user: click.person,
      thread_ts: click.thread,
      text,
    })
  }

const formatStopReply = (reply: StopResult, askedBy: string | null): string | null => {
  switch (reply) {
    case 'stopping':
      return null
    case 'not-allowed':
      return onlyAskerCanStop(askedBy && `<@${askedBy}>`)
    case 'over':
      return nothingToStopText
    default: {
      const never: never = reply
      return never
    }
  }
}

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
