import { callbackIds } from '../action-ids.ts'
import { slackLimits } from './limits.ts'
import type { SlackBlock } from './schema.ts'
import { escapeAndTruncate } from './text.ts'

interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
}

/** A modal, as `views.open` takes it. */
export interface Modal {
  readonly type: 'modal'
  readonly callback_id: string
  readonly title: PlainText
  readonly submit?: PlainText
  readonly close: PlainText
  readonly private_metadata?: string
  readonly blocks: readonly SlackBlock[]
}

/** A few words in the place of a form: what is going on, or how it ended. */
export const noticeModal = (title: string, said: string): Modal => ({
  type: 'modal',
  callback_id: callbackIds.notice,
  title: { type: 'plain_text', text: title.slice(0, slackLimits.modalTitle) },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: escapeAndTruncate(said, slackLimits.sectionText) },
    },
  ],
})

/** What a modal with one field for words differs in.. */
interface TextInputModal {
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
