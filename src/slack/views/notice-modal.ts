import { callbackIds } from '../action-ids.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import type { Modal } from './modal.ts'

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
