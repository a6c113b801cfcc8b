import type { NotAllowed } from '../../core/access.ts'
import type { SlackMessage } from '../check-message.ts'
import { plainReply } from './plain-reply.ts'

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
