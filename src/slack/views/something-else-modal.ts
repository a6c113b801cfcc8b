import { callbackIds } from '../action-ids.ts'
import type { Modal } from './sql-modal.ts'

export const somethingElse = { block: 'reply', action: 'words' } as const

/** Asks for a reply in the person's own words. The question travels in the modal's own metadata. */
export const somethingElseModal = (questionId: string, question: string): Modal => ({
  type: 'modal',
  callback_id: callbackIds.clarifyElse,
  title: { type: 'plain_text', text: 'Something else' },
  submit: { type: 'plain_text', text: 'Answer' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: questionId,
  blocks: [
    {
      type: 'input',
      block_id: somethingElse.block,
      label: { type: 'plain_text', text: question.slice(0, 2_000) || 'What do you mean?' },
      element: {
        type: 'plain_text_input',
        action_id: somethingElse.action,
        max_length: 500,
        focus_on_load: true,
      },
    },
  ],
})
