import { actionIds } from '../action-ids.ts'
import type { SlackMessage } from '../check-message.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'

/** What an empty mention gets: one sentence, and example questions of this database as buttons. */
export const helpView = (database: string, examples: readonly string[]): SlackMessage => ({
  text: fallbackText(`Ask me about ${database}.`),
  blocks: [
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        verbatim: true,
        text: `Mention me with a question about *${escapeMrkdwn(database)}*, and I answer in this thread with a table and the SQL behind it.`,
      },
    },
    ...(examples.length > 0
      ? [
          {
            type: 'actions' as const,
            elements: examples.slice(0, 4).map((example, i) => ({
              type: 'button' as const,
              action_id: `${actionIds.askExample}${i + 1}`,
              text: { type: 'plain_text' as const, text: cutText(example, slackLimits.buttonText) },
              value: cutText(example, slackLimits.buttonValue),
            })),
          },
        ]
      : []),
  ],
})
