import type { Digest } from '../../core/digest.ts'
import { callbackIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { slackLimits } from '../limits.ts'
import { type DigestFields, digestFormIds } from './digest-form.ts'
import { digestFormBlocks } from './digest-form-blocks.ts'
import type { Modal } from './modal.ts'

/** What the form about a new digest is made of. */
export interface ScheduleModalInput {
  readonly questionId: string
  readonly fields: DigestFields
  /** Digests of the person that have room for one more question. */
  readonly existing: readonly Pick<Digest, 'id' | 'title' | 'schedule'>[]
  /** Why the last try did not work. */
  readonly problem?: string
}

/** Makes a digest out of an answer, or adds the answer to a digest that is there. */
export const scheduleModal = ({ questionId, fields, existing, problem }: ScheduleModalInput): Modal => ({
  type: 'modal',
  callback_id: callbackIds.schedule,
  title: { type: 'plain_text', text: 'Schedule' },
  submit: { type: 'plain_text', text: 'Schedule' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: questionId,
  blocks: [
    ...digestFormBlocks(fields, { alone: 'me', problem }),
    ...existingBlock(existing),
    {
      type: 'context',
      elements: [
        {
          type: 'plain_text',
          text: 'It runs with your rights, checked at each run. A period such as “last week” moves along.',
        },
      ],
    },
  ],
})

const existingBlock = (existing: ScheduleModalInput['existing']): SlackBlock[] => {
  const options = existing.slice(0, slackLimits.selectOptions)
  if (options.length === 0) return []
  return [
    {
      type: 'input',
      block_id: digestFormIds.existing,
      optional: true,
      label: { type: 'plain_text', text: 'Add to a digest that you have' },
      hint: {
        type: 'plain_text',
        text: 'Then its own title, schedule, place and condition hold, and not those above.',
      },
      element: {
        type: 'static_select',
        action_id: digestFormIds.action,
        placeholder: { type: 'plain_text', text: 'A digest of its own' },
        options: options.map(({ id, ...digest }) => ({
          text: { type: 'plain_text', text: formatOption(digest) },
          value: id,
        })),
      },
    },
  ]
}

/** Titles come from questions, so that several digests may have the same: their schedules tell them apart. */
const formatOption = ({ title, schedule }: Pick<Digest, 'title' | 'schedule'>): string => {
  const when = ` · ${truncateText(schedule.words, 35)}`
  return `${truncateText(title || '–', slackLimits.optionText - when.length)}${when}`
}
