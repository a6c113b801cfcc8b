import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { plainReply } from './plain-reply.ts'

/** Database errors may be long and may quote data; this much of one is shown. */
const LONGEST_ERROR = 500

/** Work that broke: what failed, and one next step. */
export const failureView = (outcome: { readonly reason: string; readonly nextStep: string }): SlackMessage =>
  plainReply(`That did not work. ${truncateText(outcome.reason, LONGEST_ERROR)}`, outcome.nextStep)
