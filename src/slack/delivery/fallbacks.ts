import type { Log } from '../../domain/operations/telemetry.ts'
import { actionIds } from '../action-ids.ts'
import { checkMessage, plainContextBlock, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { chartAsTable } from '../block-kit/chart.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { type AnyTable, monospaceTable, plainTable } from '../block-kit/table.ts'
import { truncateText } from '../block-kit/text.ts'
import { rowsLeftOut, tableNotShown } from '../copy/answer.ts'
import { slackErrorCode } from './client.ts'
import { newerBlocksIn, type RefusedBlocks } from './refused-blocks.ts'

/** Slack's codes for blocks that it does not know or take. They say something about the next message too. */
const refusedBlockCodes: ReadonlySet<string> = new Set(['invalid_blocks', 'invalid_blocks_format'])

/** Slack's codes for content that is too long or not allowed; other errors have nothing to do with the content. */
const contentErrorCodes: ReadonlySet<string> = new Set([
  ...refusedBlockCodes,
  'msg_blocks_too_long',
  'msg_too_long',
  'slack_file_not_found',
])

/** The plainest form of all fits everywhere, also in a notification. */
const SHORTEST_TEXT = 500

/**
 * Sends a message, and the next plainer form of it when Slack refuses the content or our own check foresees it: all of
 * it, without pictures and with a chart as a table, with its table as an older block, with its table in monospace, without its table, text and
 * buttons, text alone, the beginning of the text. An answer is never dropped because of its size or shape. Blocks that
 * the workspace refused before are not tried again.
 */
export const sendWithFallbacks = async <T>(
  message: SlackMessage,
  send: (message: SlackMessage) => Promise<T>,
  log: Log,
  options: {
    /** Called if something of the message was left out. */
    readonly onPlainer?: (() => void) | undefined
    readonly refused?: RefusedBlocks | undefined
  } = {},
): Promise<T> => {
  const { onPlainer, refused } = options
  const all = fallbackForms(message)
  const forms = all.filter(
    (form, i) => i === all.length - 1 || !newerBlocksIn(form.message.blocks).some(type => refused?.has(type)),
  )
  const failed: Form[] = []
  for (const [i, form] of forms.entries()) {
    const problems = checkMessage(form.message)
    const last = i === forms.length - 1
    if (problems.length > 0 && !last) {
      log.warn({ problems }, 'a message breaks a limit of Slack; sending a plainer form')
      continue
    }
    try {
      const sent = await send(form.message)
      if (form.leavesOut) onPlainer?.()
      if (refused) rememberRefused(refused, failed, form)
      return sent
    } catch (error) {
      const code = slackErrorCode(error)
      if (last || code === null || !contentErrorCodes.has(code)) throw error
      log.warn({ code }, 'Slack refused the content of a message; sending a plainer form')
      if (refusedBlockCodes.has(code)) failed.push(form)
    }
  }
  throw new Error('a message has no form to send')
}

/** One form of a message. */
interface Form {
  readonly message: SlackMessage
  /** Something that the message shows is not in this form. */
  readonly leavesOut: boolean
  /** It differs from the message in its pictures and tables alone. */
  readonly isWhole: boolean
}

/** If a form was taken that differs in its table alone, then the table was what Slack refused. */
const rememberRefused = (refused: RefusedBlocks, failed: readonly Form[], taken: Form): void => {
  if (!taken.isWhole) return
  const stillThere = newerBlocksIn(taken.message.blocks)
  for (const form of failed)
    for (const type of newerBlocksIn(form.message.blocks)) if (!stillThere.includes(type)) refused.add(type)
}

const fallbackForms = (message: SlackMessage): Form[] => {
  const has = (type: SlackBlock['type']): boolean => message.blocks.some(block => block.type === type)
  // Only answers offer their rows as a file.
  const isInCsv = message.blocks.some(offersCsv)
  const withoutImages = {
    ...message,
    blocks: message.blocks
      .filter(block => block.type !== 'image')
      .map(block => (block.type === 'data_visualization' ? chartAsTable(block) : block)),
  }
  const tables = withoutImages.blocks.filter(isTable)
  const replaceTables = (by: (table: AnyTable) => readonly SlackBlock[]): SlackMessage => ({
    ...withoutImages,
    blocks: withoutImages.blocks.flatMap(block => (isTable(block) ? by(block) : [block])),
  })
  const older = replaceTables(table => olderTable(table, { isInCsv }))
  const form = (plainer: SlackMessage, leavesOut: boolean): Form => ({
    message: plainer,
    leavesOut,
    isWhole: true,
  })
  return [
    form(message, false),
    ...(has('image') || has('data_visualization') ? [form(withoutImages, has('image'))] : []),
    ...(tables.some(({ type }) => type === 'data_table')
      ? [form(older, has('image') || older.blocks.length !== withoutImages.blocks.length)]
      : []),
    ...(tables.length > 0
      ? [
          form(
            replaceTables(table => [monospaceTable(table, { isInCsv })]),
            true,
          ),
          form(
            replaceTables(() => [plainContextBlock(tableNotShown({ isInCsv }))]),
            true,
          ),
        ]
      : []),
    ...[
      ...(has('actions') ? [textAndButtons(message)] : []),
      ...(message.blocks.length > 0
        ? [{ text: truncateText(message.text, slackLimits.sectionText), blocks: [] }]
        : []),
      { text: truncateText(message.text, SHORTEST_TEXT), blocks: [] },
    ].map(plain => ({ message: plain, leavesOut: true, isWhole: false })),
  ]
}

/** The older block takes one row less. */
const olderTable = (table: AnyTable, { isInCsv }: { readonly isInCsv: boolean }): readonly SlackBlock[] => {
  const older = plainTable(table)
  const missing = table.rows.length - older.rows.length
  return missing === 0 ? [older] : [older, plainContextBlock(rowsLeftOut(missing, { isInCsv }))]
}

const isTable = (block: SlackBlock): block is AnyTable =>
  block.type === 'table' || block.type === 'data_table'

/** The buttons stay even if the content cannot be shown. */
const textAndButtons = ({ text, blocks }: SlackMessage): SlackMessage => ({
  text,
  blocks: [
    sectionBlock(truncateText(text, slackLimits.sectionText)),
    ...blocks.filter(block => block.type === 'actions'),
  ],
})

const offersCsv = (block: SlackBlock): boolean =>
  block.type === 'actions' && block.elements.some(({ action_id }) => action_id === actionIds.exportCsv)
