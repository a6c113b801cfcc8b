import type { SlackMessage } from '../check-message.ts'
import { escapeWithin } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'

/** A reply of two parts: what there is to say, and the one next step in smaller print. */
export const plainReply = (said: string, nextStep: string): SlackMessage => ({
  text: fallbackText(`${said} ${nextStep}`),
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: escapeWithin(said, slackLimits.sectionText) },
    },
    { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text: escapeWithin(nextStep, 2_000) }] },
  ],
})
