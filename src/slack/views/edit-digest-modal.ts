import { type Digest, maxDigestQuestions } from '../../core/digest.ts'
import { callbackIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { slackLimits } from '../limits.ts'
import { type DigestFields, digestFormIds } from './digest-form.ts'
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
const questionBlock = (questions: Digest['questions']): SlackBlock[] => {
  if (questions.length < 2) return []
  const options = questions.slice(0, maxDigestQuestions).map(({ id, text }) => ({
    text: { type: 'plain_text' as const, text: truncateText(text || '–', slackLimits.optionText) },
    value: id,
  }))
  return [
    {
      type: 'input',
      block_id: digestFormIds.questions,
      label: { type: 'plain_text', text: 'Its questions' },
      hint: { type: 'plain_text', text: 'Those without a tick are taken out.' },
      element: {
        type: 'checkboxes',
        action_id: digestFormIds.action,
        options,
        initial_options: options,
      },
    },
  ]
}
