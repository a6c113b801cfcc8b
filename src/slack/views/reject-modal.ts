import { callbackIds } from '../action-ids.ts'
import type { Modal } from './modal.ts'
import { textInputModal } from './words-modal.ts'

export const rejectFormIds = { block: 'reason', action: 'words' } as const

/** Asks why an answer is wrong: the thread is told. */
export const rejectModal = (questionId: string): Modal =>
  textInputModal({
    callbackId: callbackIds.reviewReject,
    title: 'Reject the answer',
    submit: 'Reject',
    field: rejectFormIds,
    label: 'What is wrong with it?',
    hint: 'The thread of the question is told, with your name.',
    multiline: true,
    maxLength: 1_000,
    questionId,
  })
