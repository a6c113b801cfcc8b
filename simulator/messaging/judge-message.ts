import { checkBlocks, checkMessage } from '../../src/slack/block-kit/blocks.ts'
import { slackLimits } from '../../src/slack/block-kit/schema.ts'
import type { Files } from '../record/make-files.ts'

/** Slack's verdict on a message: an error or null, and warnings. */
interface Judgement {
  readonly error: string | null
  readonly problems: readonly string[]
}

/** Checks text and blocks of a message with the bot's own validator; returns Slack's codes. */
export const judgeMessage = (
  message: { readonly text?: unknown; readonly blocks?: unknown },
  files: Files,
): Judgement => {
  const { text = '', blocks = [] } = message
  const problems = [...checkMessage({ text, blocks }), ...missingFiles(blocks, files)]
  return { error: errorOf(text, blocks, problems, files), problems }
}

const errorOf = (
  text: unknown,
  blocks: unknown,
  problems: readonly string[],
  files: Files,
): string | null => {
  if (problems.length === 0) return null
  if (!Array.isArray(blocks)) return 'invalid_blocks_format'
  if (blocks.length === 0 && String(text).trim() === '') return 'no_text'
  if (String(text).length > slackLimits.messageText) return 'msg_too_long'
  if (checkBlocks(blocks, slackLimits.blocksPerMessage).length > 0) return 'invalid_blocks'
  if (missingFiles(blocks, files).length > 0) return 'invalid_blocks'
  // An empty fallback text only gets a warning from Slack. What remains is the size of the blocks.
  return checkMessage({ text: '-', blocks }).length > 0 ? 'msg_blocks_too_long' : null
}

/** An image may only show a file that Slack has finished processing. */
const missingFiles = (blocks: unknown, files: Files): string[] =>
  (Array.isArray(blocks) ? blocks : []).flatMap(block => {
    const id: unknown = block?.slack_file?.id
    return typeof id === 'string' && files.findReady(id) === null
      ? [`blocks: file ${id} is not there yet`]
      : []
  })
