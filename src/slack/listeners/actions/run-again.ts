import type { SlackUseCases } from '../../use-cases.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { findClickedAnswer } from '../click-on-answer.ts'
import { sendEphemeral } from '../tell-person.ts'

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
