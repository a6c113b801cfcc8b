import type { RecordedMessage } from '../../simulator/shapes/message.ts'

/** The blocks of a message by type, in order. */
export const blockTypes = (message: RecordedMessage): readonly string[] =>
  message.blocks.map(block => block.type)

/** It shows a table. */
export const isTable = (message: RecordedMessage): boolean =>
  blockTypes(message).some(type => type === 'table' || type === 'data_table')

/** It asks back: its buttons choose a reading. */
export const isQuestionBack = (message: RecordedMessage): boolean =>
  buttons(message).includes('Something else…')

/** What the buttons of a message say. */
export const buttons = (message: RecordedMessage): readonly string[] =>
  message.blocks
    .filter(block => block.type === 'actions')
    .flatMap(block => block.elements as readonly { readonly text?: { readonly text: string } }[])
    .flatMap(element => element.text?.text ?? [])

/** The cells of the first table of a message, header first. */
export const cells = (message: RecordedMessage): readonly (readonly string[])[] => {
  const table = message.blocks.find(block => block.type === 'table' || block.type === 'data_table')
  const rows = (table?.rows ?? []) as readonly (readonly { readonly text: string }[])[]
  return rows.map(row => row.map(cell => cell.text))
}
