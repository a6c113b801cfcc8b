import type { StopResult } from '../../../core/stop.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { isClickOnQuestion, readClick } from '../click.ts'

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
