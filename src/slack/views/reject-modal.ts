import { callbackIds } from '../action-ids.ts'
import type { Modal } from './modal.ts'
import { wordsModal } from './words-modal.ts'

export const rejectForm = { block: 'reason', action: 'words' } as const

/** Asks why an answer is wrong: the thread is told. */
export const rejectModal = (questionId: string): Modal =>
  wordsModal({
    callbackId: callbackIds.humanReject,
    title: 'Reject the answer',
    submit: 'Reject',
    field: rejectForm,
    label: 'What is wrong with it?',
    hint: 'The thread of the question is told, with your name.',
    multiline: true,
    maxLength: 1_000,
    questionId,
  })
