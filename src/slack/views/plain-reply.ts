import type { SlackMessage } from '../check-message.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'

/** A reply of two parts: what there is to say, and the one next step in smaller print. */
export const plainReply = (said: string, nextStep: string): SlackMessage => ({
  text: fallbackText(`${said} ${nextStep}`),
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: escapeAndTruncate(said, slackLimits.sectionText) },
    },
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', verbatim: true, text: escapeAndTruncate(nextStep, 2_000) }],
    },
  ],
})
