import type { NotAllowed } from '../../domain/access.ts'
import type { Outcome } from '../../domain/answer.ts'
import { refusalText } from '../../domain/answer-wording/unanswered.ts'
import { contextBlock, plainContextBlock, plainReply, sectionBlock } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { truncateText } from '../block-kit/text.ts'
import { adminsToAsk, couldNotAnswer, ownerToAsk, unavailableText } from '../copy/errors.ts'
import { exampleButtons } from './help.ts'

/**
 * A question that I do not answer: what is missing, what can be asked instead (as buttons that ask it), and who knows
 * more. An owner that the configuration names by a Slack id is mentioned.
 */
export const refusalView = (
  outcome: Omit<Extract<Outcome, { status: 'refused' }>, 'status'>,
): SlackMessage => {
  const { nearest = [], whoToAsk } = outcome
  const { text, blocks } = plainReply(refusalText(outcome))
  return {
    text,
    blocks: [
      ...blocks,
      ...exampleButtons(nearest),
      ...(whoToAsk === undefined ? [] : [ownerBlock(whoToAsk)]),
    ],
  }
}

const ownerBlock = (owner: string) =>
  /^[UW][A-Z0-9]{6,}$/.test(owner)
    ? contextBlock(ownerToAsk(`<@${owner}>`))
    : plainContextBlock(ownerToAsk(owner))

/** Admins named to a person who needs one. */
const MOST_ADMINS = 3

/** Why a person is not answered, what to do, and who can change it. */
export const notAllowedView = (
  refusal: Pick<NotAllowed, 'reason' | 'nextStep'>,
  admins: readonly string[],
): SlackMessage => {
  const { text, blocks } = plainReply(refusal)
  if (admins.length === 0) return { text, blocks }
  const mentions = admins.slice(0, MOST_ADMINS).map(id => `<@${id}>`)
  return { text, blocks: [...blocks, contextBlock(adminsToAsk(mentions))] }
}

/** Database errors can be long and can quote data; this much of one is shown. */
export const LONGEST_ERROR = 500

/** A question that failed: what went wrong, and one next step. */
export const failureView = ({
  reason,
  nextStep,
}: {
  readonly reason: string
  readonly nextStep: string
}): SlackMessage => plainReply({ reason: couldNotAnswer(truncateText(reason, LONGEST_ERROR)), nextStep })

/** Says that our own store is away. */
export const unavailableView: SlackMessage = {
  text: unavailableText,
  blocks: [sectionBlock(unavailableText)],
}
