import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'

/** Below what says how old an answer is: a row of its own, because the row of actions is full. */
export const runAgainBlock = (questionId: string): SlackBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: actionIds.runAgain,
      text: { type: 'plain_text', text: 'Run again' },
      value: questionId,
    },
  ],
})
