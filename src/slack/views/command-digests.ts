import type { Digest } from '../../core/digest.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { mention } from '../mention.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { formatSchedule, formatStatus, formatTarget } from './say-digest.ts'

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
