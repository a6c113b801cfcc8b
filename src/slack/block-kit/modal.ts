import { callbackIds } from '../action-ids.ts'
import { labels } from '../copy/phrases.ts'
import { plainText, sectionBlock } from './blocks.ts'
import { type SlackBlock, slackLimits } from './schema.ts'
import { escapeAndTruncate, truncateText } from './text.ts'

/** A modal, as `views.open` takes it. */
export interface Modal {
  readonly type: 'modal'
  readonly callback_id: string
  readonly title: ReturnType<typeof plainText>
  readonly submit?: ReturnType<typeof plainText>
  readonly close: ReturnType<typeof plainText>
  readonly private_metadata?: string
  readonly blocks: readonly SlackBlock[]
}

/** A modal to read, with a button that closes it. */
export const readingModal = (callbackId: string, title: string, blocks: readonly SlackBlock[]): Modal => ({
  type: 'modal',
  callback_id: callbackId,
  title: plainText(title),
  close: plainText(labels.close),
  blocks,
})

/** A form. `metadata` comes back when it is submitted. */
export const formModal = (form: {
  readonly callbackId: string
  readonly title: string
  readonly submit: string
  readonly close?: string
  readonly metadata: string
  readonly blocks: readonly SlackBlock[]
}): Modal => ({
  type: 'modal',
  callback_id: form.callbackId,
  title: plainText(form.title),
  submit: plainText(form.submit),
  close: plainText(form.close ?? labels.cancel),
  private_metadata: form.metadata,
  blocks: form.blocks,
})

/** A few words in the place of a form: what is going on, or how it ended. */
export const noticeModal = ({ title, text }: { readonly title: string; readonly text: string }): Modal =>
  readingModal(callbackIds.notice, title.slice(0, slackLimits.modalTitle), [
    sectionBlock(escapeAndTruncate(text, slackLimits.sectionText)),
  ])

/** The action id of fields of forms with several. */
export const fieldAction = 'given'

/** A field of a form for a line of text. */
export const textField = (
  block: string,
  label: string,
  value: string,
  {
    maxLength,
    hint,
    optional,
  }: { readonly maxLength: number; readonly hint?: string; readonly optional?: boolean },
): SlackBlock => ({
  type: 'input',
  block_id: block,
  ...(optional ? { optional } : {}),
  label: plainText(label),
  ...(hint === undefined ? {} : { hint: plainText(hint) }),
  element: {
    type: 'plain_text_input',
    action_id: fieldAction,
    max_length: maxLength,
    ...(value === '' ? {} : { initial_value: truncateText(value, maxLength) }),
  },
})

/** How modals with one text field differ. */
interface TextInputModal {
  readonly callbackId: string
  readonly title: string
  readonly submit: string
  /** Under which ids the text is found when the form is submitted. */
  readonly field: { readonly block: string; readonly action: string }
  readonly label: string
  readonly hint?: string
  readonly multiline?: boolean
  /** In characters. */
  readonly maxLength: number
  /** Travels in the modal's own metadata. */
  readonly questionId: string
}

/** Asks for text about a question, in one field. */
export const textInputModal = (form: TextInputModal): Modal => {
  const input: SlackBlock = {
    type: 'input',
    block_id: form.field.block,
    label: plainText(form.label),
    ...(form.hint === undefined ? {} : { hint: plainText(form.hint) }),
    element: {
      type: 'plain_text_input',
      action_id: form.field.action,
      ...(form.multiline === undefined ? {} : { multiline: form.multiline }),
      max_length: form.maxLength,
      focus_on_load: true,
    },
  }
  const { callbackId, title, submit, questionId } = form
  return formModal({ callbackId, title, submit, metadata: questionId, blocks: [input] })
}
