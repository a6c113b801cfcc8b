import { actionIds } from '../action-ids.ts'
import type { RowButton } from './button-row.ts'

/** `Delete`, which asks first. */
export const deleteButton: RowButton = [
  actionIds.digestDelete,
  'Delete',
  {
    style: 'danger',
    confirm: {
      title: { type: 'plain_text', text: 'Delete this digest?' },
      text: {
        type: 'plain_text',
        text: 'It does not run any more. What it has posted stays where it is.',
      },
      confirm: { type: 'plain_text', text: 'Delete' },
      deny: { type: 'plain_text', text: 'Keep' },
      style: 'danger',
    },
  },
]
