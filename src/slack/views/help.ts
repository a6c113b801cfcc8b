import { parseDatabaseRef } from '../../domain/database.ts'
import { actionIds } from '../action-ids.ts'
import { button, sectionBlock } from '../block-kit/blocks.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeAndTruncate, escapeMrkdwn, fallbackText, truncateText } from '../block-kit/text.ts'
import { asksText, helpSummary, helpText } from '../copy/help.ts'

/** What an empty mention gets: how to ask, and example questions of this database as buttons. */
export const helpView = (databaseRef: string, examples: readonly string[]): SlackMessage => {
  const { database } = parseDatabaseRef(databaseRef)
  return {
    text: fallbackText(helpSummary(database)),
    blocks: [sectionBlock(helpText(escapeMrkdwn(database))), ...exampleButtons(examples)],
  }
}

const MOST_EXAMPLES = 4

/** Questions as buttons that ask them; no block without any. A question that does not fit a button is left out. */
export const exampleButtons = (
  examples: readonly string[],
  actionPrefix: string = actionIds.askExample,
): readonly SlackBlock[] => {
  const shown = examples.filter(example => example.length <= slackLimits.buttonValue).slice(0, MOST_EXAMPLES)
  if (shown.length === 0) return []
  return [
    {
      type: 'actions',
      elements: shown.map((example, i) =>
        button(`${actionPrefix}${i + 1}`, truncateText(example, slackLimits.buttonText), example),
      ),
    },
  ]
}

/** A question that a person asked with a button or a command: the answer comes below. */
export const askedOnBehalfView = (person: string, question: string): SlackMessage => {
  const who = asksText(`<@${person}>`)
  return {
    text: `${who}${fallbackText(question)}`,
    blocks: [sectionBlock(`${who}${escapeAndTruncate(question, slackLimits.sectionText - who.length)}`)],
  }
}
