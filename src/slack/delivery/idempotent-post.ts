import type { WebClient } from '@slack/web-api'
import type { OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { postMessage } from './post-message.ts'

/** The log of one message: whether somebody began to post it, and as what it is there. */
interface PostClaim {
  /** False when it was claimed before. */
  claim(): Promise<boolean>
  /** Its `ts`; null while it is not known. */
  findTs(): Promise<string | null>
  store(ts: string): Promise<unknown>
}

/**
 * Posts a message once, and returns its `ts`. The claim is stored before the post and the `ts` after. A crash between the
 * two, and a post whose answer was lost, leave a doubt: then the message is looked for, where that is possible, and posted
 * again where it is not found, because a second message is better than none.
 */
export const postIdempotently = async (
  log: Log,
  claim: PostClaim,
  message: {
    /** What it is, for the log. */
    readonly about: Readonly<Record<string, unknown>>
    /** Its `ts`, where it can be looked for and is there. */
    readonly look?: () => Promise<string | null>
    readonly post: () => Promise<string>
  },
): Promise<string> => {
  const isFirst = await claim.claim()
  const known = isFirst ? null : await claim.findTs()
  if (known !== null) return known
  const found = isFirst ? null : ((await message.look?.()) ?? null)
  if (!isFirst && found === null)
    log.warn(message.about, 'it is in doubt whether a message was posted; posting it again')
  const ts = found ?? (await message.post())
  await claim.store(ts)
  return ts
}

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
