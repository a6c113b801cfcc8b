import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { OutboundLog } from '../../core/outbound.ts'
import type { SlackMessage } from '../check-message.ts'
import { type MessageClaim, postClaimed } from './post-claimed.ts'
import { postMessage } from './post-message.ts'

/** Posts a message that goes with a question, once for each step, and returns its `ts`. */
export type PostStep = (
  given: {
    readonly questionId: string
    readonly step: string
    readonly channel: string
    readonly thread?: string
  },
  message: SlackMessage,
) => Promise<string>

/** Makes it. Where it is in doubt whether the message is there, it is posted again. */
export const makePostStep =
  (deps: {
    /** Makes no call again by itself: the job does, and finds the claim. */
    readonly poster: WebClient
    readonly outbound: OutboundLog
    readonly now: () => Date
    readonly log: Log
  }): PostStep =>
  async ({ questionId, step, channel, thread }, message) => {
    const { outbound, log } = deps
    const claim: MessageClaim = {
      claim: () =>
        outbound.claim({ questionId, step, channel, payload: { text: message.text }, claimedAt: deps.now() }),
      known: async () => (await outbound.find(questionId, step))?.ts ?? null,
      keep: ts => outbound.markPosted(questionId, step, ts),
    }
    return postClaimed(log, claim, {
      about: { questionId, step },
      post: () => postMessage(deps.poster, { channel, thread }, message, log),
    })
  }
