import type { Digest } from '../../core/digest.ts'
import { callbackIds } from '../action-ids.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import type { Modal } from './modal.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { formatSchedule, formatTarget } from './say-digest.ts'
import { slackDate } from './slack-date.ts'

const TIMES_SHOWN = 3

/** What a digest is now: in words, when it runs next, and what to know about it. */
export const digestSavedModal = ({
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
    sectionBlock(
      `*${escapeAndTruncate(digest.title || '–', 1_000)}*\n${formatSchedule(digest)}, ${formatTarget(digest)}`,
    ),
    ...(next.length === 0
      ? []
      : [sectionBlock(`*It runs next*\n${next.slice(0, TIMES_SHOWN).map(slackDate).join('\n')}`)]),
    ...remarks
      .slice(0, 5)
      .map(remark => sectionBlock(`:information_source: ${escapeAndTruncate(remark, 1_000)}`)),
    contextBlock(escapeMrkdwn('My Home tab lists your digests: there you can change, pause or delete them.')),
  ],
})
