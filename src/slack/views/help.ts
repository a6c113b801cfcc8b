import { parseDatabaseRef } from '../../domain/database.ts'
import { actionIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeAndTruncate, escapeMrkdwn, fallbackText, truncateText } from '../block-kit/text.ts'

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

const MOST_EXAMPLES = 4

/** Questions as buttons that ask them; no block without any. One that a button cannot hold whole is left out. */
export const exampleButtons = (examples: readonly string[]): readonly SlackBlock[] => {
  const shown = examples.filter(example => example.length <= slackLimits.buttonValue).slice(0, MOST_EXAMPLES)
  if (shown.length === 0) return []
  return [
    {
      type: 'actions',
      elements: shown.map((example, i) => ({
        type: 'button' as const,
        action_id: `${actionIds.askExample}${i + 1}`,
        text: { type: 'plain_text' as const, text: truncateText(example, slackLimits.buttonText) },
        value: example,
      })),
    },
  ]
}

/** A question that somebody asked by a button or a command: the answer comes below. */
export const askedOnBehalfView = (person: string, question: string): SlackMessage => {
  const who = `<@${person}> asks: `
  const room = slackLimits.sectionText - who.length
  return {
    text: `${who}${fallbackText(question)}`,
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', verbatim: true, text: `${who}${escapeAndTruncate(question, room)}` },
      },
    ],
  }
}
