import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { OutboundLog } from '../../core/outbound.ts'
import type { SlackMessage } from '../check-message.ts'
import { sendDownTheLadder } from './send-down-the-ladder.ts'

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

/**
 * Makes it. The claim is stored before the post and the `ts` after; a crash between the two leaves a doubt, and then it
 * is posted again, because a second message is better than none.
 */
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
    const claimedAt = deps.now()
    const isFirst = await outbound.claim({
      questionId,
      step,
      channel,
      payload: { text: message.text },
      claimedAt,
    })
    if (!isFirst) {
      const known = await outbound.find(questionId, step)
      if (known?.ts) return known.ts
      log.warn({ questionId, step }, 'it is in doubt whether a message was posted; posting it again')
    }
    const posted = await sendDownTheLadder(
      message,
      ({ text, blocks }) =>
        deps.poster.chat.postMessage({
          channel,
          ...(thread === undefined ? {} : { thread_ts: thread }),
          text,
          blocks: [...blocks] as never,
          unfurl_links: false,
          unfurl_media: false,
        }),
      log,
    )
    const ts = String(posted.ts)
    await outbound.markPosted(questionId, step, ts)
    return ts
  }
