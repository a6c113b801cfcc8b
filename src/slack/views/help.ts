import { parseDatabaseRef } from '../../core/database-view.ts'
import type { SlackMessage } from '../check-message.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { exampleButtons } from './example-buttons.ts'

/** What an empty mention gets: one sentence, and example questions of this database as buttons. */
export const helpView = (asked: string, examples: readonly string[]): SlackMessage => {
  const { database } = parseDatabaseRef(asked)
  return {
    text: fallbackText(`Ask me about ${database}.`),
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: `Mention me with a question about *${escapeMrkdwn(database)}*, and I answer in this thread with a table and the SQL behind it.`,
        },
      },
      ...exampleButtons(examples),
    ],
  }
}
