import { callbackIds } from '../action-ids.ts'
import type { Modal } from './modal.ts'
import { textInputModal } from './words-modal.ts'

export const somethingElseIds = { block: 'reply', action: 'words' } as const

/** Asks for a reply in the person's own words. */
export const somethingElseModal = (questionId: string, question: string): Modal =>
  textInputModal({
    callbackId: callbackIds.somethingElse,
    title: 'Something else',
    submit: 'Answer',
    field: somethingElseIds,
    label: question.slice(0, 2_000) || 'What do you mean?',
    maxLength: 500,
    questionId,
  })
