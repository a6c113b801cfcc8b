import { callbackIds } from '../action-ids.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { digestFormIds } from './digest-form.ts'
import type { Modal } from './modal.ts'

/** Gives a digest to somebody else, whose rights count from then on. */
export const handOverModal = ({
  title,
  metadata,
}: {
  readonly title: string
  readonly metadata: string
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.digestHandOver,
  title: { type: 'plain_text', text: 'Hand over' },
  submit: { type: 'plain_text', text: 'Hand over' },
  close: { type: 'plain_text', text: 'Cancel' },
  private_metadata: metadata,
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: `*${escapeAndTruncate(title || '–', 1_000)}*` },
    },
    {
      type: 'input',
      block_id: digestFormIds.person,
      label: { type: 'plain_text', text: 'To whom' },
      hint: {
        type: 'plain_text',
        text: 'It runs with their rights from then on, and notices about it go to them.',
      },
      element: {
        type: 'users_select',
        action_id: digestFormIds.action,
        placeholder: { type: 'plain_text', text: 'Choose a person' },
      },
    },
  ],
})
