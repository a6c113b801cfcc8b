import { type Digest, mostQuestions } from '../../core/digest.ts'
import { callbackIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { cutText } from '../cut-text.ts'
import { slackLimits } from '../limits.ts'
import { type DigestFields, digestForm } from './digest-form.ts'
import { digestFormBlocks } from './digest-form-blocks.ts'
import type { Modal } from './modal.ts'

/** Changes a digest: its fields, and which of its questions stay. `metadata` says which digest, and where it was clicked. */
export const editDigestModal = (given: {
  readonly digest: Pick<Digest, 'questions'>
  readonly fields: DigestFields
  readonly metadata: string
  readonly problem?: string
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.digestEdit,
  title: { type: 'plain_text', text: 'Edit digest' },
  submit: { type: 'plain_text', text: 'Save' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: given.metadata,
  blocks: [
    ...digestFormBlocks(given.fields, { alone: 'owner', problem: given.problem }),
    ...questionBlock(given.digest.questions),
  ],
})

/** Of a single question there is nothing to choose. */
const questionBlock = (questions: Digest['questions']): CheckedBlock[] => {
  if (questions.length < 2) return []
  const options = questions.slice(0, mostQuestions).map(({ id, text }) => ({
    text: { type: 'plain_text' as const, text: cutText(text || '–', slackLimits.optionText) },
    value: id,
  }))
  return [
    {
      type: 'input',
      block_id: digestForm.questions,
      label: { type: 'plain_text', text: 'Its questions' },
      hint: { type: 'plain_text', text: 'Those without a tick are taken out.' },
      element: {
        type: 'checkboxes',
        action_id: digestForm.action,
        options,
        initial_options: options,
      },
    },
  ]
}
