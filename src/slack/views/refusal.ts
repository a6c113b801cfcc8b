import type { Outcome } from '../../core/answer.ts'
import type { SlackMessage } from '../check-message.ts'
import { exampleButtons } from './example-buttons.ts'
import { plainReply } from './plain-reply.ts'

/**
 * A question that is not answered: what is missing, what can be asked instead (as buttons that ask it), and whom to ask
 * else. An owner given by an id of Slack is mentioned.
 */
export const refusalView = (
  outcome: Omit<Extract<Outcome, { status: 'refused' }>, 'status'>,
): SlackMessage => {
  const { reason, nextStep, nearest = [], whoToAsk } = outcome
  const message = plainReply(reason, nextStep)
  return {
    text: message.text,
    blocks: [
      ...message.blocks,
      ...exampleButtons(nearest),
      ...(whoToAsk === undefined ? [] : plainContext(whoToAsk)),
    ],
  }
}

const plainContext = (whoToAsk: string): SlackMessage['blocks'] => [
  {
    type: 'context',
    elements: [
      isPerson(whoToAsk)
        ? { type: 'mrkdwn', verbatim: true, text: `Who knows more: <@${whoToAsk}>` }
        : { type: 'plain_text', text: `Who knows more: ${whoToAsk}` },
    ],
  },
]

const isPerson = (owner: string): boolean => /^[UW][A-Z0-9]{6,}$/.test(owner)
