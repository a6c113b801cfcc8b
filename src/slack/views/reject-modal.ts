import { callbackIds } from '../action-ids.ts'
import type { Modal } from './modal.ts'

export const rejectForm = { block: 'reason', action: 'words' } as const

/** Asks why an answer is wrong: the thread is told. */
export const rejectModal = (questionId: string): Modal => ({
  type: 'modal',
  callback_id: callbackIds.humanReject,
  title: { type: 'plain_text', text: 'Reject the answer' },
  submit: { type: 'plain_text', text: 'Reject' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: questionId,
  blocks: [
    {
      type: 'input',
      block_id: rejectForm.block,
      label: { type: 'plain_text', text: 'What is wrong with it?' },
      hint: { type: 'plain_text', text: 'The thread of the question is told, with your name.' },
      element: {
        type: 'plain_text_input',
        action_id: rejectForm.action,
        multiline: true,
        max_length: 1_000,
        focus_on_load: true,
      },
    },
  ],
})
