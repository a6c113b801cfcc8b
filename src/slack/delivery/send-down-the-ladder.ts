import type { Log } from '../../core/log.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { checkMessage, type SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { slackLimits } from '../limits.ts'
import { monospaceTable } from './monospace-table.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Slack's ways to say that a message is too much or not to its liking; anything else is no matter of its content. */
const contentErrorCodes = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'slack_file_not_found',
])

/** The last form of all: what fits everywhere, a notification included. */
const SHORTEST_TEXT = 500

/**
 * Sends a message, and the next plainer form of it when Slack refuses the content or our own check foresees it: all of
 * it, without pictures, with its table in monospace, without its table, text and buttons, text alone, the beginning of
 * the text. An answer is never dropped because of its size or shape.
 */
export const sendWithFallbacks = async <T>(
  message: SlackMessage,
  send: (message: SlackMessage) => Promise<T>,
  log: Log,
  /** Told when it was sent in a plainer form. */
  onPlainer?: () => void,
): Promise<T> => {
  const steps = fallbackMessages(message)
  for (const [i, step] of steps.entries()) {
    const problems = checkMessage(step)
    const last = i === steps.length - 1
    if (problems.length > 0 && !last) {
      log.warn({ problems }, 'a message breaks a limit of Slack; sending a plainer form')
      continue
    }
    try {
      const sent = await send(step)
      if (i > 0) onPlainer?.()
      return sent
    } catch (error) {
      const code = slackErrorCode(error)
      if (last || code === null || !contentErrorCodes.has(code)) throw error
      log.warn({ code }, 'Slack refused the content of a message; sending a plainer form')
    }
  }
  throw new Error('the ladder has no step')
}

const fallbackMessages = (message: SlackMessage): SlackMessage[] => {
  const has = (type: SlackBlock['type']): boolean => message.blocks.some(block => block.type === type)
  // Only answers have their rows in a file.
  const allAt = message.blocks.some(offersCsv) ? 'csv' : null
  const pictureless = { ...message, blocks: message.blocks.filter(block => block.type !== 'image') }
  const replaceTable = (by: (table: TableBlock) => SlackBlock): SlackMessage => ({
    ...pictureless,
    blocks: pictureless.blocks.map(block => (block.type === 'table' ? by(block) : block)),
  })
  return [
    message,
    ...(has('image') ? [pictureless] : []),
    ...(has('table')
      ? [replaceTable(table => monospaceTable(table, { allAt })), replaceTable(() => tableNotShown(allAt))]
      : []),
    ...(has('actions') ? [textAndButtons(message)] : []),
    ...(message.blocks.length > 0
      ? [{ text: truncateText(message.text, slackLimits.sectionText), blocks: [] }]
      : []),
    { text: truncateText(message.text, SHORTEST_TEXT), blocks: [] },
  ]
}

/** What a person can do stays when what there is to see does not. */
const textAndButtons = ({ text, blocks }: SlackMessage): SlackMessage => ({
  text,
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: truncateText(text, slackLimits.sectionText) },
    },
    ...blocks.filter(block => block.type === 'actions'),
  ],
})

type TableBlock = Extract<SlackBlock, { readonly type: 'table' }>

const tableNotShown = (allAt: 'csv' | null): SlackBlock => {
  const where = allAt === 'csv' ? ': Export CSV has all rows.' : '.'
  return {
    type: 'context',
    elements: [{ type: 'plain_text', text: `The table could not be shown here${where}` }],
  }
}

const offersCsv = (block: SlackBlock): boolean =>
  block.type === 'actions' && block.elements.some(({ action_id }) => action_id === actionIds.exportCsv)
