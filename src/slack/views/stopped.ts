import { actionIds } from '../action-ids.ts'
import type { SlackMessage } from '../check-message.ts'
import { slackLimits } from '../limits.ts'

/** A question that was stopped: by whom, null where nobody replied in time, and a button that asks it again. */
export const stoppedView = (question: string, by: string | null): SlackMessage => {
  const said = by ? `Stopped by <@${by}>.` : 'Stopped, because nobody replied.'
  const askable = question !== '' && question.length <= slackLimits.buttonValue
  return {
    text: said,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: said } },
      ...(askable
        ? [
            {
              type: 'actions' as const,
              elements: [
                {
                  type: 'button' as const,
                  // An example question like any other: asked in the name of whoever clicks.
                  action_id: `${actionIds.askExample}1`,
                  text: { type: 'plain_text' as const, text: 'Ask again' },
                  value: question,
                },
              ],
            },
          ]
        : []),
    ],
  }
}
