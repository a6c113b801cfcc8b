import type { DescribedVerified } from '../../core/home.ts'
import type { SlackMessage } from '../check-message.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { plainReply } from './plain-reply.ts'
import { sayBlock, smallPrint } from './say-block.ts'

const MOST = 20
const LONGEST = 130

/** The questions that a place answers from queries that somebody stands for. */
export const verifiedView = (verified: DescribedVerified): SlackMessage => {
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
      const lines = questions.slice(0, MOST).map(question => `• ${escapeMrkdwn(cutText(question, LONGEST))}`)
      const more = questions.length - lines.length
      return {
        text: fallbackText(`Verified queries of ${database}: ${questions.length}`),
        blocks: [
          sayBlock(`*Verified queries of ${escapeMrkdwn(database)}*\n${lines.join('\n')}`),
          ...(more > 0 ? [smallPrint(`and ${more} more`)] : []),
          smallPrint('Questions like these are answered from them.'),
        ],
      }
    }
    default: {
      const never: never = verified
      return never
    }
  }
}
