import type { Digest } from '../../../domain/digest.ts'
import type { DigestRequestOutcome } from '../../../domain/digest-use-cases.ts'
import { contextBlock, plainReply, sectionBlock } from '../../block-kit/blocks.ts'
import type { SlackMessage } from '../../block-kit/message.ts'
import { escapeAndTruncate, fallbackText, mention, slackDate } from '../../block-kit/text.ts'
import { formatDigestRefusal, formatSchedule, formatStatus, formatTarget } from './format.ts'

const digestCommandHelp = [
  [
    'digest WHEN: QUESTION',
    'asks it here and, once it is answered, posts it here again and again: `every monday at 9: how many orders were placed last week?`',
  ],
  ['digest WHEN to me: QUESTION', 'the same, for you alone; `in #channel` posts it there'],
  [
    'digest WHEN if CONDITION: QUESTION',
    'posts it only then: `if it changed`, `if above 100`, `if below 100`, `if it changes by 10 %`',
  ],
  ['digest list', 'your digests, or everybody’s for admins, with their ids'],
  ['digest run ID', 'runs one now'],
  ['digest pause ID', 'stops it until it is resumed'],
  ['digest resume ID', 'lets it run again'],
  ['digest delete ID', 'removes it'],
] as const

/** What the command can do with digests; for words that it does not know, with what was typed. */
export const digestHelpView = (typed: string | null): SlackMessage => ({
  text: fallbackText('What /querent digest can do: make, list, run, pause, resume, delete.'),
  blocks: [
    ...(typed === null ? [] : [sectionBlock(`I do not know “${escapeAndTruncate(typed, 300)}”.`)]),
    sectionBlock(
      `*What I can do with digests*\n${digestCommandHelp.map(([word, what]) => `\`/querent ${word}\`  ${what}`).join('\n')}`,
    ),
    contextBlock(
      'WHEN is plain words or cron, in your time zone. _Schedule_ under an answer makes a digest too. An id may be cut short.',
    ),
  ],
})

/** Digests with their ids. */
export const digestListView = ({
  digests,
  total,
  all,
}: {
  readonly digests: readonly Digest[]
  readonly total: number
  readonly all: boolean
}): SlackMessage => {
  const title = all ? 'Digests of everybody' : 'Your digests'
  const more = total - digests.length
  return {
    text: fallbackText(`${title}: ${total}`),
    blocks:
      total === 0
        ? [
            sectionBlock(
              `*${title}*\nNone yet. Type \`/querent digest every monday at 9: YOUR QUESTION\`, or press _Schedule_ under an answer.`,
            ),
          ]
        : [
            sectionBlock(`*${title}* (${total.toLocaleString('en-US')})`),
            ...digests.map(digest =>
              sectionBlock(
                `*${escapeAndTruncate(digest.title || '–', 150)}*  \`${digest.id}\`${all ? `  ·  of ${mention(digest.owner)}` : ''}\n${formatSchedule(digest)}, ${formatTarget(digest)}\n${formatStatus(digest)}`,
              ),
            ),
            ...(more > 0
              ? [contextBlock(`and ${more.toLocaleString('en-US')} more: my Home tab lists all of them`)]
              : []),
          ],
  }
}

const TIMES_SHOWN = 3

const COMMENTS_SHOWN = 5

/** What became of a digest that was asked for together with its question, for the thread of that. */
export const requestedDigestView = (outcome: DigestRequestOutcome): SlackMessage => {
  switch (outcome.status) {
    case 'scheduled': {
      const { digest, next, notes: remarks } = outcome
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
