import type { VerifiedDescription } from '../../core/home.ts'
import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { plainReply } from './plain-reply.ts'
import { contextBlock, sectionBlock } from './say-block.ts'

const MOST_QUERIES = 20
const LONGEST_QUERY_QUESTION = 130

/** The questions that a place answers from queries that somebody stands for. */
export const verifiedView = (verified: VerifiedDescription): SlackMessage => {
  switch (verified.status) {
    case 'not-allowed':
      return plainReply(verified.reason, verified.nextStep)
    case 'verified': {
      const { database, questions } = verified
      if (questions.length === 0) {
        return plainReply(
          `No question about ${database} has a verified query yet.`,
          'Whoever finds an answer right can propose it: “Save as verified” in the menu of the answer.',
        )
      }
      const lines = questions
        .slice(0, MOST_QUERIES)
        .map(question => `• ${escapeMrkdwn(truncateText(question, LONGEST_QUERY_QUESTION))}`)
      const more = questions.length - lines.length
      return {
        text: fallbackText(`Verified queries of ${database}: ${questions.length}`),
        blocks: [
          sectionBlock(`*Verified queries of ${escapeMrkdwn(database)}*\n${lines.join('\n')}`),
          ...(more > 0 ? [contextBlock(`and ${more} more`)] : []),
          contextBlock('Questions like these are answered from them.'),
        ],
      }
    }
    default: {
      const never: never = verified
      return never
    }
  }
}
