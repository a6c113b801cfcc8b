import { slackLimits } from './limits.ts'
import type { SlackMessage } from './message.ts'
import type { SlackBlock } from './schema.ts'
import { escapeAndTruncate, fallbackText } from './text.ts'

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

type Row = Extract<SlackBlock, { readonly type: 'actions' }>

type Button = Extract<Row['elements'][number], { readonly type: 'button' }>

/** A button as `[action id, what it says]`, with what else it has. */
export type RowButton = readonly [actionId: string, says: string, more?: Pick<Button, 'style' | 'confirm'>]

/** A row of buttons about one thing, which all of them carry as their value. */
export const buttonRow = (value: string, buttons: readonly RowButton[]): Row => ({
  type: 'actions',
  elements: buttons.map(([actionId, says, more]) => ({
    type: 'button',
    action_id: actionId,
    text: { type: 'plain_text', text: says },
    value,
    ...more,
  })),
})
