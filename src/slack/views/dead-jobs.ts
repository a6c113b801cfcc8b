import type { DeadJob } from '../../core/dead-job.ts'
import type { AdminFacts } from '../../core/home.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { slackDate } from './slack-date.ts'

const LONGEST_REASON = 200

/** Jobs that failed for good, with what an admin can do about each. Nothing where there are none. */
export const failedJobBlocks = ({ jobs, total }: AdminFacts['dead']): SlackBlock[] => {
  if (jobs.length === 0) return []
  const more = total - jobs.length
  return [
    sectionBlock(`*Jobs that failed for good* (${total})`),
    ...jobs.flatMap(jobBlocks),
    ...(more > 0 ? [contextBlock(`and ${more} more: decide on these, and they come up`)] : []),
  ]
}

const jobBlocks = ({ id, queue, failedAt, attempts, code, reason }: DeadJob): SlackBlock[] => [
  sectionBlock(
    `• \`${escapeMrkdwn(queue)}\`  ·  ${slackDate(failedAt)}  ·  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${code === null ? '' : `  ·  ${escapeMrkdwn(code)}`}\n${escapeMrkdwn(truncateText(reason.replace(/\s+/g, ' '), LONGEST_REASON))}`,
  ),
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: actionIds.homeJobRetry,
        text: { type: 'plain_text', text: 'Retry' },
        value: id,
      },
      {
        type: 'button',
        action_id: actionIds.homeJobDrop,
        text: { type: 'plain_text', text: 'Drop' },
        value: id,
      },
    ],
  },
]
