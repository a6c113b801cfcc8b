import type { Digest } from '../../core/digest.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeWithin } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { mention } from '../mention.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { saySchedule, sayStatus, sayTarget } from './say-digest.ts'

const words = [
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
    ...(typed === null ? [] : [sayBlock(`I do not know “${escapeWithin(typed, 300)}”.`)]),
    sayBlock(
      `*What I can do with digests*\n${words.map(([word, what]) => `\`/querent ${word}\`  ${what}`).join('\n')}`,
    ),
    smallPrint(
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
            sayBlock(
              `*${title}*\nNone yet. Type \`/querent digest every monday at 9: YOUR QUESTION\`, or press _Schedule_ under an answer.`,
            ),
          ]
        : [
            sayBlock(`*${title}* (${total.toLocaleString('en-US')})`),
            ...digests.map(digest =>
              sayBlock(
                `*${escapeWithin(digest.title || '–', 150)}*  \`${digest.id}\`${all ? `  ·  of ${mention(digest.owner)}` : ''}\n${saySchedule(digest)}, ${sayTarget(digest)}\n${sayStatus(digest)}`,
              ),
            ),
            ...(more > 0
              ? [smallPrint(`and ${more.toLocaleString('en-US')} more: my Home tab lists all of them`)]
              : []),
          ],
  }
}
