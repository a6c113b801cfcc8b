import type { NotAllowed } from '../../domain/access.ts'
import type { Outcome } from '../../domain/answer.ts'
import { plainReply, sectionBlock } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { truncateText } from '../block-kit/text.ts'
import { exampleButtons } from './help.ts'

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

/** Admins named to somebody who needs one. */
const MOST_ADMINS = 3

/** Why somebody is not answered, what to do, and who can change it. */
export const notAllowedView = (
  { reason, nextStep }: Pick<NotAllowed, 'reason' | 'nextStep'>,
  admins: readonly string[],
): SlackMessage => {
  const { text, blocks } = plainReply(reason, nextStep)
  if (admins.length === 0) return { text, blocks }
  const named = admins.slice(0, MOST_ADMINS).map(id => `<@${id}>`)
  const who = `Admins here: ${named.join(', ')}.`
  return {
    text,
    blocks: [...blocks, { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text: who }] }],
  }
}

/** Database errors may be long and may quote data; this much of one is shown. */
const LONGEST_ERROR = 500

/** Work that broke: what failed, and one next step. */
export const failureView = (outcome: { readonly reason: string; readonly nextStep: string }): SlackMessage =>
  plainReply(`That did not work. ${truncateText(outcome.reason, LONGEST_ERROR)}`, outcome.nextStep)

/** What is said where a question cannot be taken in: true as long as Slack delivers again, which is for six minutes. */
export const unavailableText =
  'I cannot reach my own database right now, so I cannot take this in yet. I will answer here as soon as it is back. If nothing has come in ten minutes, please ask again.'

/** Says that our own store is away. */
export const unavailableView: SlackMessage = {
  text: unavailableText,
  blocks: [sectionBlock(unavailableText)],
}
