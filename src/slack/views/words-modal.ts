import type { SlackBlock } from '../block-schema.ts'
import type { Modal } from './modal.ts'

/** What a modal with one field for words differs in.. */
export interface TextInputModal {
  readonly callbackId: string
  readonly title: string
  readonly submit: string
  /** Where the words are found when it is submitted. */
  readonly field: { readonly block: string; readonly action: string }
  readonly label: string
  readonly hint?: string
  readonly multiline?: boolean
  /** In characters. */
  readonly maxLength: number
  /** Travels in the modal's own metadata. */
  readonly questionId: string
}

/** Asks for words about a question, in one field. */
export const textInputModal = (given: TextInputModal): Modal => {
  const input: SlackBlock = {
    type: 'input',
    block_id: given.field.block,
    label: { type: 'plain_text', text: given.label },
    ...(given.hint === undefined ? {} : { hint: { type: 'plain_text', text: given.hint } }),
    element: {
      type: 'plain_text_input',
      action_id: given.field.action,
      ...(given.multiline === undefined ? {} : { multiline: given.multiline }),
      max_length: given.maxLength,
      focus_on_load: true,
    },
  }
  return {
    type: 'modal',
    callback_id: given.callbackId,
    title: { type: 'plain_text', text: given.title },
    submit: { type: 'plain_text', text: given.submit },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: given.questionId,
    blocks: [input],
  }
}
