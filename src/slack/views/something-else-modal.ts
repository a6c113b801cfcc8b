import { callbackIds } from '../action-ids.ts'
import type { Modal } from './modal.ts'
import { wordsModal } from './words-modal.ts'

export const somethingElse = { block: 'reply', action: 'words' } as const

/** Asks for a reply in the person's own words. */
export const somethingElseModal = (questionId: string, question: string): Modal =>
  wordsModal({
    callbackId: callbackIds.clarifyElse,
    title: 'Something else',
    submit: 'Answer',
    field: somethingElse,
    label: question.slice(0, 2_000) || 'What do you mean?',
    maxLength: 500,
    questionId,
  })
