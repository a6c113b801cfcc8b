import type { StalenessKey } from '../../core/verified-recheck.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'
import { writeStalenessKey } from './staleness-key.ts'

/** What the owner of a stale verified query is told. */
export interface StaleVerifiedView {
  readonly key: StalenessKey
  readonly question: string
  readonly database: string
  /** Sentences without a full stop. */
  readonly reasons: readonly string[]
  /** Why it could not be kept, when that was tried. */
  readonly note?: string
}

/** A statement that reads forty columns can lose all of them; the first few tell enough. */
const MOST_REASONS = 5
/** The reasons must find room behind it. */
const LONGEST_STALE_QUESTION = 300

/** Asks the owner of a verified query that went stale what shall become of it. */
export const staleVerifiedView = ({
  key,
  question,
  database,
  reasons,
  note,
}: StaleVerifiedView): SlackMessage => {
  const left = reasons.length - MOST_REASONS
  const lines = [
    ...reasons.slice(0, MOST_REASONS).map(reason => `• ${reason}`),
    ...(left > 0 ? [`• and ${left} more`] : []),
  ]
  const value = writeStalenessKey(key)
  const said = `Your verified query for “${truncateText(question, LONGEST_STALE_QUESTION)}” on ${database} needs a look:`
  return {
    text: fallbackText(`${said} ${reasons.join('; ')}`),
    blocks: [
      textSection(`${said}\n${lines.join('\n')}`),
      ...(note === undefined ? [] : [textSection(`It cannot be kept: ${note}`)]),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: actionIds.verifiedKeep,
            text: { type: 'plain_text', text: 'Keep' },
            style: 'primary',
            value,
          },
          {
            type: 'button',
            action_id: actionIds.verifiedRemove,
            text: { type: 'plain_text', text: 'Remove' },
            value,
          },
          {
            type: 'button',
            action_id: actionIds.verifiedShowSql,
            text: { type: 'plain_text', text: 'Show SQL' },
            value,
          },
        ],
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            verbatim: true,
            text: 'Nobody is answered from it until you decide. Keep runs it first, and uses it only if that works.',
          },
        ],
      },
    ],
  }
}

const textSection = (said: string): SlackMessage['blocks'][number] => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: escapeAndTruncate(said, slackLimits.sectionText) },
})
