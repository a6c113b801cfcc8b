import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { OutboundMessageLog } from '../../core/outbound.ts'
import type { SlackMessage } from '../check-message.ts'
import { type PostClaim, postIdempotently } from './post-claimed.ts'
import { postMessage } from './post-message.ts'

/** Posts a message that goes with a question, once for each step, and returns its `ts`. */
export type PostStepMessage = (
  given: {
    readonly questionId: string
    readonly step: string
    readonly channel: string
    readonly thread?: string
  },
  message: SlackMessage,
) => Promise<string>

/** Makes it. Where it is in doubt whether the message is there, it is posted again. */
export const makePostStepMessage =
  (deps: {
    /** Makes no call again by itself: the job does, and finds the claim. */
    readonly poster: WebClient
    readonly outbound: OutboundMessageLog
    readonly now: () => Date
    readonly log: Log
  }): PostStepMessage =>
  async ({ questionId, step, channel, thread }, message) => {
    const { outbound, log } = deps
    const claim: PostClaim = {
      claim: () =>
        outbound.claim({ questionId, step, channel, payload: { text: message.text }, claimedAt: deps.now() }),
      findTs: async () => (await outbound.find(questionId, step))?.ts ?? null,
      store: ts => outbound.markPosted(questionId, step, ts),
    }
    return postIdempotently(log, claim, {
      about: { questionId, step },
      post: () => postMessage(deps.poster, { channel, thread }, message, log),
    })
  }
