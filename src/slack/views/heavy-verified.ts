import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { fallbackText } from '../fallback-text.ts'
import { slackLimits } from '../limits.ts'
import { contextBlock, sectionBlock } from './say-block.ts'

const LONGEST_QUESTION = 300

/** Tells the owner of a verified query that it is too heavy to be run again unasked. Nothing has to be decided. */
export const expensiveVerifiedView = ({
  question,
  database,
  reason,
}: {
  readonly question: string
  readonly database: string
  readonly reason: string
}): SlackMessage => {
  const said = `Your verified query for “${truncateText(question, LONGEST_QUESTION)}” on ${database} is too heavy to be run again by itself.`
  return {
    text: fallbackText(`${said} ${reason}`),
    blocks: [
      sectionBlock(escapeAndTruncate(`${said}\n${reason}`, slackLimits.sectionText)),
      contextBlock(
        'It stays in use, and whoever asks for it is asked before it runs; whether its result still holds is not looked at. Save a lighter one in its place, or have an admin raise `heavyRows` of the database. You are told of this once.',
      ),
    ],
  }
}
