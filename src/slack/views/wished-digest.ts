import type { WishOutcome } from '../../core/digest-wish.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeWithin } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { plainReply } from './plain-reply.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { saySchedule, sayTarget } from './say-digest.ts'
import { sayDigestRefusal } from './say-digest-refusal.ts'
import { slackDate } from './slack-date.ts'

const TIMES_SHOWN = 3
const REMARKS_SHOWN = 5

/** What became of a digest that was asked for together with its question, for the thread of that. */
export const wishedDigestView = (outcome: WishOutcome): SlackMessage => {
  switch (outcome.status) {
    case 'scheduled': {
      const { digest, next, remarks } = outcome
      const { words, timeZone } = digest.schedule
      const times = next.slice(0, TIMES_SHOWN).map(slackDate).join(', ')
      return {
        text: fallbackText(`Scheduled: ${words} (${timeZone})`),
        blocks: [
          sayBlock(
            `:calendar: *Scheduled*: ${saySchedule(digest)}, ${sayTarget(digest)}${times === '' ? '' : `\nIt runs next: ${times}`}`,
          ),
          ...remarks
            .slice(0, REMARKS_SHOWN)
            .map(remark => sayBlock(`:information_source: ${escapeWithin(remark, 1_000)}`)),
          smallPrint('Its owner changes, pauses or deletes it in my Home tab.'),
        ],
      }
    }
    case 'unfit':
      return plainReply(
        `Nothing was scheduled. ${sayDigestRefusal(outcome.refusal)}`,
        'To schedule this answer another way, press Schedule under it.',
      )
    case 'unanswered':
      return plainReply(`Nothing was scheduled: ${why[outcome.end]}.`, nextStep)
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

const why: Readonly<Record<Extract<WishOutcome, { status: 'unanswered' }>['end'], string>> = {
  refused: 'I could not answer the question, as said above',
  failed: 'answering the question failed, as said above',
  stopped: 'the question was stopped',
  withdrawn: 'the question was taken back',
}

const nextStep =
  'Ask it in other words with /querent digest, or ask first and press Schedule under the answer.'
