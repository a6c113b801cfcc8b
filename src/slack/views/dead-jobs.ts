import type { DeadJob } from '../../core/dead-job.ts'
import type { AdminFacts } from '../../core/home.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { slackDate } from './slack-date.ts'

const LONGEST_REASON = 200

/** Jobs that failed for good, with what an admin can do about each. Nothing where there are none. */
export const deadJobBlocks = ({ jobs, total }: AdminFacts['dead']): CheckedBlock[] => {
  if (jobs.length === 0) return []
  const more = total - jobs.length
  return [
    sayBlock(`*Jobs that failed for good* (${total})`),
    ...jobs.flatMap(jobBlocks),
    ...(more > 0 ? [smallPrint(`and ${more} more: decide on these, and they come up`)] : []),
  ]
}

const jobBlocks = ({ id, queue, failedAt, attempts, code, reason }: DeadJob): CheckedBlock[] => [
  sayBlock(
    `• \`${escapeMrkdwn(queue)}\`  ·  ${slackDate(failedAt)}  ·  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${code === null ? '' : `  ·  ${escapeMrkdwn(code)}`}\n${escapeMrkdwn(cutText(reason.replace(/\s+/g, ' '), LONGEST_REASON))}`,
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
