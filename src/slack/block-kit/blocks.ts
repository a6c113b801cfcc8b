import { z } from 'zod'
import { blockSchema, type SlackBlock, slackLimits } from './schema.ts'
import { escapeAndTruncate, escapeMrkdwn, fallbackText } from './text.ts'

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
export const plainReply = (
  {
    reason,
    nextStep,
  }: {
    readonly reason: string
    readonly nextStep: string
  },
  /** How both are escaped: as sentences if they quote data. */
  escaping = escapeMrkdwn,
): SlackMessage => ({
  text: fallbackText(`${reason} ${nextStep}`, escaping),
  blocks: [
    sectionBlock(escapeAndTruncate(reason, slackLimits.sectionText, escaping)),
    contextBlock(escapeAndTruncate(nextStep, slackLimits.sectionField, escaping)),
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
  return [
    ...checkTables(parsed.data),
    ...checkCharts(parsed.data),
    ...checkIds(parsed.data),
    ...checkSections(parsed.data),
  ]
}

const checkText = (text: unknown): string[] => {
  if (typeof text !== 'string' || text.trim() === '') return ['text: the fallback must not be empty']
  return text.length > slackLimits.messageText
    ? [`text: longer than ${slackLimits.messageText} characters`]
    : []
}

const checkTables = (blocks: readonly SlackBlock[]): string[] => {
  const tables = blocks.filter(block => block.type === 'table' || block.type === 'data_table')
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

const checkCharts = (blocks: readonly SlackBlock[]): string[] => {
  const charts = blocks.filter(block => block.type === 'data_visualization')
  return charts.length > slackLimits.chartsPerMessage
    ? [`blocks: ${charts.length} charts, at most ${slackLimits.chartsPerMessage}`]
    : []
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
  const beside = Array.isArray(blocks)
    ? blocks.filter(block => !['table', 'data_table'].includes(block?.type))
    : blocks
  const size = JSON.stringify(beside)?.length ?? 0
  return size > slackLimits.blocksJson ? [`blocks: ${size} characters beside the table`] : []
}

const checkSections = (blocks: readonly SlackBlock[]): string[] =>
  blocks.flatMap(block =>
    block.type === 'section' && !block.text && !block.fields
      ? ['blocks: a section needs text or fields']
      : [],
  )
