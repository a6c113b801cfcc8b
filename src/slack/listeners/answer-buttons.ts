import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  StaticSelectAction,
} from '@slack/bolt'
import type { View } from '@slack/types'
import type { StopResult } from '../../domain/question.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases, SlackUseCases } from '../use-cases.ts'
import { sqlModal } from '../views/sql-modal.ts'
import { type ButtonClickArgs, findClickedAnswer, isClickOnQuestion, readClick } from './clicks.ts'

/** `Show SQL`: the statement behind the answer, in a modal. */
export const makeShowSqlClick =
  ({ findAnswered }: Pick<SlackUseCases, 'findAnswered'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const on = await findClickedAnswer(findAnswered, body, action)
    if (!on) return
    await client.views.open({ trigger_id: body.trigger_id, view: sqlModal(on.answered) as View })
  }

/**
 * `Export CSV`: the whole result as a file in the thread. Reading and uploading may take longer than Slack waits, so a
 * job does it, stored before the click is acknowledged. A double click makes one file.
 */
export const makeExportCsvClick =
  ({ findAnswered, sendExport }: Pick<SlackUseCases, 'findAnswered' | 'sendExport'>) =>
  async ({ ack, action, body }: ButtonClickArgs): Promise<void> => {
    const on = await findClickedAnswer(findAnswered, body, action)
    if (on) {
      const { person, channel, thread } = on.click
      await sendExport({ questionId: on.answered.question.id, person, channel, thread })
    }
    await ack()
  }

/** `Run again`: the question is answered anew in the same message. Whoever was too late sees that it is. */
export const makeRunAgainClick =
  ({ findAnswered, runAgain }: Pick<SlackUseCases, 'findAnswered' | 'runAgain'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const on = await findClickedAnswer(findAnswered, body, action)
    if (!on) return ack()
    const { click, answered } = on
    const done = await runAgain({ questionId: answered.question.id, person: click.person })
    // Acknowledged after it is stored: if that failed, Slack says so to the person.
    await ack()
    if (done.status === 'not-allowed') await sendEphemeral(client, click, `${done.reason} ${done.nextStep}`)
  }

/**
 * `Change to…` beside an assumption: another reading of the question takes the place of the answer. Its rows may have to
 * be read again, so a job does it, stored before the click is acknowledged.
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
    if (refused) await sendEphemeral(client, click, `${refused.reason} ${refused.nextStep}`)
  }

/** `Stop`: for whoever asked, and for admins. Everybody else, and whoever comes too late, is told so alone. */
export const makeStopClick =
  ({ findPlaced, stop }: Pick<SlackUseCases, 'findPlaced' | 'stop'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const click = readClick(body)
    const placed = click && action.value ? await findPlaced(action.value) : null
    if (!click || !placed || !isClickOnQuestion(click, placed)) return ack()
    const reply = await stop({ questionId: placed.question.id, person: click.person })
    // Acknowledged after the stop is stored: if that failed, Slack says so to the person.
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
      return `Only ${askedBy ? `<@${askedBy}>` : 'the person who asked'} or an admin can stop this.`
    case 'over':
      return 'There is nothing left to stop: this question has come to its end.'
    default: {
      const never: never = reply
      return never
    }
  }
}
