import type { SlackUseCases } from '../../use-cases.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { readClick } from '../click.ts'
import { sendEphemeral } from '../tell-person.ts'
import { tsToDate } from '../ts-to-date.ts'
import { doubleClickKeys } from '../twin-claims.ts'

/** An example question of the help: asked in the name of whoever clicked. The click's own time makes it one question, and so does a double click. */
export const makeExampleClick =
  ({ ask }: Pick<SlackUseCases, 'ask'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const click = readClick(body)
    if (click && action.value) {
      const asked = await ask({
        text: action.value,
        place: {
          team: click.team,
          channel: click.channel,
          thread: click.thread,
          message: `${click.message}/${action.action_ts}`,
        },
        askedBy: click.person,
        askedAt: tsToDate(action.action_ts),
        claims: doubleClickKeys(
          {
            person: click.person,
            where: `${click.team} ${click.channel} ${click.message}`,
            text: action.value,
          },
          tsToDate(action.action_ts),
        ),
      })
      if (asked.status === 'not-allowed')
        await sendEphemeral(client, click, `${asked.reason} ${asked.nextStep}`)
    }
    await ack()
  }
