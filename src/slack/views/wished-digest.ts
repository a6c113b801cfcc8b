import type { DigestRequestOutcome } from '../../core/digest-wish.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { plainReply } from './plain-reply.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { formatSchedule, formatTarget } from './say-digest.ts'
import { formatDigestRefusal } from './say-digest-refusal.ts'
import { slackDate } from './slack-date.ts'

const TIMES_SHOWN = 3
const COMMENTS_SHOWN = 5

/** What became of a digest that was asked for together with its question, for the thread of that. */
export const requestedDigestView = (outcome: DigestRequestOutcome): SlackMessage => {
  switch (outcome.status) {
    case 'scheduled': {
      const { digest, next, remarks } = outcome
      const { words, timeZone } = digest.schedule
      const times = next.slice(0, TIMES_SHOWN).map(slackDate).join(', ')
      return {
        text: fallbackText(`Scheduled: ${words} (${timeZone})`),
        blocks: [
          sectionBlock(
            `:calendar: *Scheduled*: ${formatSchedule(digest)}, ${formatTarget(digest)}${times === '' ? '' : `\nIt runs next: ${times}`}`,
          ),
          ...remarks
            .slice(0, COMMENTS_SHOWN)
            .map(remark => sectionBlock(`:information_source: ${escapeAndTruncate(remark, 1_000)}`)),
          contextBlock('Its owner changes, pauses or deletes it in my Home tab.'),
        ],
      }
    }
    case 'unfit':
      return plainReply(
        `Nothing was scheduled. ${formatDigestRefusal(outcome.refusal)}`,
        'To schedule this answer another way, press Schedule under it.',
      )
    case 'unanswered':
      return plainReply(`Nothing was scheduled: ${unansweredReasons[outcome.end]}.`, askAgainHint)
    case 'broken':
      return plainReply(
        'Nothing was scheduled: something broke on my side.',
        'Press Schedule under the answer to try again; an admin finds more in the log.',
      )
    default: {
      const never: never = outcome
      return never
    }
  }
}

const unansweredReasons: Readonly<
  Record<Extract<DigestRequestOutcome, { status: 'unanswered' }>['end'], string>
> = {
  refused: 'I could not answer the question, as said above',
  failed: 'answering the question failed, as said above',
  stopped: 'the question was stopped',
  withdrawn: 'the question was taken back',
}

const askAgainHint =
  'Ask it in other words with /querent digest, or ask first and press Schedule under the answer.'
