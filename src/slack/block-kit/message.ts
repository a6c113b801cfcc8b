import { z } from 'zod'
import { slackLimits } from './limits.ts'
import { blockSchema, type SlackBlock } from './schema.ts'

/** A message as it is posted: blocks, and the text that notifications and old clients show instead. */
export interface SlackMessage {
  readonly text: string
  readonly blocks: readonly SlackBlock[]
}

/**
 * What Slack would refuse about a message, one line a problem; empty when it would be taken. The bot's tests, its
 * delivery and the simulator all ask this one function.
 */
export const checkMessage = (message: { readonly text?: unknown; readonly blocks?: unknown }): string[] => [
  ...checkText(message.text),
  ...checkBlocks(message.blocks ?? [], slackLimits.blocksPerMessage),
  ...checkSize(message.blocks ?? []),
]

/** The same for the blocks of a modal or of App Home, which may be twice as many. */
export const checkBlocks = (blocks: unknown, most: number = slackLimits.blocksPerView): string[] => {
  const parsed = z.array(blockSchema).max(most).safeParse(blocks)
  if (!parsed.success)
    return parsed.error.issues.map(issue => `blocks.${issue.path.join('.')}: ${issue.message}`)
  return [...checkTables(parsed.data), ...checkIds(parsed.data), ...checkSections(parsed.data)]
}

const checkText = (text: unknown): string[] => {
  if (typeof text !== 'string' || text.trim() === '') return ['text: the fallback must not be empty']
  return text.length > slackLimits.messageText
    ? [`text: longer than ${slackLimits.messageText} characters`]
    : []
}

const checkTables = (blocks: readonly SlackBlock[]): string[] => {
  const tables = blocks.filter(block => block.type === 'table')
  const characters = tables
    .flatMap(table => table.rows.flat())
    .reduce((sum, cell) => sum + cell.text.length, 0)
  return [
    ...(tables.length > slackLimits.tablesPerMessage ? ['blocks: more than one table'] : []),
    ...(characters > slackLimits.tableCharacters
      ? [`blocks: ${characters} characters in table cells, at most ${slackLimits.tableCharacters}`]
      : []),
    ...tables.flatMap(table =>
      new Set(table.rows.map(row => row.length)).size > 1 ? ['blocks: rows of a table differ in length'] : [],
    ),
  ]
}

/** Block ids must be unique in a message, action ids in a block. */
const checkIds = (blocks: readonly SlackBlock[]): string[] => {
  const blockIds = blocks.flatMap(block => block.block_id ?? [])
  const twice = blockIds
    .filter((id, i) => blockIds.indexOf(id) !== i)
    .map(id => `blocks: block_id ${id} twice`)
  const actionsTwice = blocks.flatMap(block => {
    if (block.type !== 'actions') return []
    const ids = block.elements.map(element => element.action_id)
    return ids
      .filter((id, i) => ids.indexOf(id) !== i)
      .map(id => `blocks: action_id ${id} twice in one block`)
  })
  return [...twice, ...actionsTwice]
}

const checkSize = (blocks: unknown): string[] => {
  const beside = Array.isArray(blocks) ? blocks.filter(block => block?.type !== 'table') : blocks
  const size = JSON.stringify(beside)?.length ?? 0
  return size > slackLimits.blocksJson ? [`blocks: ${size} characters beside the table`] : []
}

const checkSections = (blocks: readonly SlackBlock[]): string[] =>
  blocks.flatMap(block =>
    block.type === 'section' && !block.text && !block.fields
      ? ['blocks: a section needs text or fields']
      : [],
  )
