import { slackLimits } from './limits.ts'
import type { SlackMessage } from './message.ts'
import type { SlackBlock } from './schema.ts'
import { escapeAndTruncate, fallbackText } from './text.ts'

/** Text that Slack shows as it is, as labels and buttons take it. */
interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
}

export const plainText = (text: string): PlainText => ({ type: 'plain_text', text })

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

/** Small print that is shown as it is. */
export const plainContextBlock = (text: string): SlackBlock => ({
  type: 'context',
  elements: [plainText(text)],
})

export const headerBlock = (text: string): SlackBlock => ({ type: 'header', text: plainText(text) })

export const dividerBlock: SlackBlock = { type: 'divider' }

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

/** A reply of two parts: what happened, and the next step in smaller print. Both are escaped here. */
export const plainReply = ({
  reason,
  nextStep,
}: {
  readonly reason: string
  readonly nextStep: string
}): SlackMessage => ({
  text: fallbackText(`${reason} ${nextStep}`),
  blocks: [
    sectionBlock(escapeAndTruncate(reason, slackLimits.sectionText)),
    contextBlock(escapeAndTruncate(nextStep, slackLimits.sectionField)),
  ],
})

type ButtonRow = Extract<SlackBlock, { readonly type: 'actions' }>

type Button = Extract<ButtonRow['elements'][number], { readonly type: 'button' }>

/** What a button may have beside its label. */
type ButtonOptions = Pick<Button, 'style' | 'confirm' | 'accessibility_label'>

/** A button as `[action id, label]`, with what else it has. */
export type RowButton = readonly [actionId: string, label: string, options?: ButtonOptions]

export const button = (actionId: string, label: string, value: string, options?: ButtonOptions): Button => ({
  type: 'button',
  action_id: actionId,
  text: plainText(label),
  value,
  ...options,
})

/** A row of buttons about one thing, which all of them carry as their value. */
export const buttonRow = (value: string, buttons: readonly RowButton[]): ButtonRow => ({
  type: 'actions',
  elements: buttons.map(([actionId, label, options]) => button(actionId, label, value, options)),
})
