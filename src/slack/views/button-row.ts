import type { SlackBlock } from '../block-schema.ts'

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
