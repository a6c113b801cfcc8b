import type { WebClient } from '@slack/web-api'
import type { OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { postMessage } from './post-message.ts'

/** The log of one message: whether a process started to post it, and its `ts` once posted. */
interface PostClaim {
  /** False if it was claimed before. */
  claim(): Promise<boolean>
  /** Its `ts`; null while unknown. */
  findTs(): Promise<string | null>
  store(ts: string): Promise<unknown>
}

/**
 * Posts a message once, and returns its `ts`. The claim is stored before the post and the `ts` after. After a crash
 * between the two, or a lost response, the message is searched for if that is possible, and posted again if it is not
 * found, because a second message is better than none.
 */
export const postIdempotently = async (
  log: Log,
  claim: PostClaim,
  message: {
    /** Names it in the log. */
    readonly about: Readonly<Record<string, unknown>>
    /** Searches for it; null if it is not there. Left out if it cannot be searched for. */
    readonly find?: () => Promise<string | null>
    readonly post: () => Promise<string>
  },
): Promise<string> => {
  const isFirst = await claim.claim()
  const known = isFirst ? null : await claim.findTs()
  if (known !== null) return known
  const found = isFirst ? null : ((await message.find?.()) ?? null)
  if (!isFirst && found === null)
    log.warn(message.about, 'unknown whether a message was posted; posting it again')
  const ts = found ?? (await message.post())
  await claim.store(ts)
  return ts
}

/** Posts a message that belongs to a question, once for each step, and returns its `ts`. */
export type PostStepMessage = (
  given: {
    readonly questionId: string
    readonly step: string
    readonly channel: string
    readonly thread?: string
  },
  message: SlackMessage,
) => Promise<string>

/** If it is unknown whether the message was posted, it is posted again. */
export const makePostStepMessage =
  (deps: {
    /** Retries nothing by itself: the job does, and finds the claim. */
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
