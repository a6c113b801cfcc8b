import type { SlackMessage } from '../check-message.ts'
import { plainReply } from './plain-reply.ts'

/** A question that is not answered: what is missing, and what can be asked instead. */
export const refusalView = (outcome: { readonly reason: string; readonly nextStep: string }): SlackMessage =>
  plainReply(outcome.reason, outcome.nextStep)
