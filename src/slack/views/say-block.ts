import type { SlackBlock } from '../block-schema.ts'
import { slackLimits } from '../limits.ts'

/** A paragraph of mrkdwn that is escaped already. Lines that do not fit are left out, never cut in two. */
export const sectionBlock = (mrkdwn: string): SlackBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: fitLines(mrkdwn, slackLimits.sectionText) },
})

/** The same in small print. */
export const contextBlock = (mrkdwn: string): SlackBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', verbatim: true, text: fitLines(mrkdwn, slackLimits.sectionField) }],
})

const fitLines = (text: string, most: number): string => {
  if (text.length <= most) return text
  const kept: string[] = []
  let length = 2
  for (const line of text.split('\n')) {
    length += line.length + 1
    if (length > most) break
    kept.push(line)
  }
  return `${kept.join('\n')}\n…`
}
