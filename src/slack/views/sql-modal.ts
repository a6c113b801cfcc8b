import { callbackIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import type { Modal } from './modal.ts'
import { sqlBlocks } from './sql-blocks.ts'

export type { Modal } from './modal.ts'

/** The SQL behind an answer. */
export const sqlModal = (answer: {
  readonly sql: string
  readonly assumptions: readonly string[]
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.showSql,
  title: { type: 'plain_text', text: 'SQL' },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [
    ...sqlBlocks(answer.sql),
    ...answer.assumptions.slice(0, 10).map(
      (assumption): SlackBlock => ({
        type: 'context',
        elements: [{ type: 'plain_text', text: assumption.slice(0, 2_000) || '–' }],
      }),
    ),
  ],
})
