import type { Log } from '../../core/log.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { checkMessage, type SlackMessage } from '../check-message.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Slack's ways to say that a message is too much or not to its liking; anything else is no matter of blocks. */
const refusesBlocks = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
])

/**
 * Sends a message, and the next plainer form of it when Slack refuses the blocks: all of it, without its table, text
 * alone. An answer is never dropped because of its size or shape.
 */
export const sendDownTheLadder = async <T>(
  message: SlackMessage,
  send: (message: SlackMessage) => Promise<T>,
  log: Log,
): Promise<T> => {
  const steps = ladder(message)
  for (const [i, step] of steps.entries()) {
    const problems = checkMessage(step)
    const last = i === steps.length - 1
    if (problems.length > 0 && !last) {
      log.warn({ problems }, 'a message breaks a limit of Slack; sending a plainer form')
      continue
    }
    try {
      return await send(step)
    } catch (error) {
      const code = slackErrorCode(error)
      if (last || code === null || !refusesBlocks.has(code)) throw error
      log.warn({ code }, 'Slack refused the blocks of a message; sending a plainer form')
    }
  }
  throw new Error('the ladder has no step')
}

const ladder = (message: SlackMessage): SlackMessage[] => {
  const hasTable = message.blocks.some(block => block.type === 'table')
  return [
    message,
    ...(hasTable ? [{ ...message, blocks: message.blocks.flatMap(withoutTable) }] : []),
    { text: message.text, blocks: [] },
  ]
}

const withoutTable = (block: CheckedBlock): CheckedBlock[] =>
  block.type === 'table'
    ? [
        {
          type: 'context',
          elements: [
            { type: 'plain_text', text: 'The table could not be shown here: Export CSV has all rows.' },
          ],
        },
      ]
    : [block]
