import type { SlackMessage } from '../check-message.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'

/** A question that somebody asked by a button or a command: the answer comes below. */
export const askedOnBehalfView = (person: string, question: string): SlackMessage => {
  const who = `<@${person}> asks: `
  const room = slackLimits.sectionText - who.length
  return {
    text: `${who}${fallbackText(question)}`,
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', verbatim: true, text: `${who}${escapeAndTruncate(question, room)}` },
      },
    ],
  }
}
