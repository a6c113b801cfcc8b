import type { Digest } from '../../core/digest.ts'
import { callbackIds } from '../action-ids.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { escapeWithin } from '../escape-within.ts'
import type { Modal } from './modal.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { saySchedule, sayTarget } from './say-digest.ts'
import { slackDate } from './slack-date.ts'

const TIMES_SHOWN = 3

/** What a digest is now: in words, when it runs next, and what to know about it. */
export const scheduledModal = ({
  title,
  digest,
  next,
  remarks = [],
}: {
  readonly title: 'Scheduled' | 'Added' | 'Saved' | 'Unchanged'
  readonly digest: Digest
  readonly next: readonly Date[]
  readonly remarks?: readonly string[]
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.notice,
  title: { type: 'plain_text', text: title },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [
    sayBlock(`*${escapeWithin(digest.title || '–', 1_000)}*\n${saySchedule(digest)}, ${sayTarget(digest)}`),
    ...(next.length === 0
      ? []
      : [sayBlock(`*It runs next*\n${next.slice(0, TIMES_SHOWN).map(slackDate).join('\n')}`)]),
    ...remarks.slice(0, 5).map(remark => sayBlock(`:information_source: ${escapeWithin(remark, 1_000)}`)),
    smallPrint(escapeMrkdwn('My Home tab lists your digests: there you can change, pause or delete them.')),
  ],
})
