import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { sectionBlock } from './say-block.ts'

const commandHelp = [
  ['ask QUESTION', 'asks it here, in your name; the answer comes in the thread'],
  ['schema', 'the tables that can be asked about here'],
  ['schema TABLE', 'the columns of one of them'],
  ['verified', 'questions that are answered from queries somebody stands for'],
  ['digest WHEN: QUESTION', 'asks it here, and again and again from then on: `every monday at 9: …`'],
  ['digest list', 'what is asked for you again and again; `digest help` has more'],
  ['admin', 'how I do, for admins'],
  ['help', 'this'],
] as const

/** What the command can do; for words that it does not know, with what may have been meant. */
export const commandHelpView = (typed: string | null): SlackMessage => {
  const list = commandHelp.map(([word, what]) => `\`/querent ${word}\`  ${what}`).join('\n')
  const shown = typed === null ? '' : escapeMrkdwn(truncateText(typed, 300))
  const unknown =
    typed === null
      ? []
      : [
          sectionBlock(
            `I do not know “${shown}”. If it is a question: \`/querent ask ${shown.replaceAll('`', "'")}\``,
          ),
        ]
  return {
    text: fallbackText('What /querent can do: ask, schema, verified, digest, admin, help.'),
    blocks: [...unknown, sectionBlock(`*What I can do*\n${list}`)],
  }
}
