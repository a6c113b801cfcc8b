import type { WebClient } from '@slack/web-api'
import type { OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { slackErrorCode } from './client.ts'
import { sendWithFallbacks } from './fallbacks.ts'
import type { RefusedBlocks } from './refused-blocks.ts'

/** Where a message goes, and the key by which it can be found again. */
interface PostTarget {
  readonly channel: string
  readonly thread?: string | undefined
  readonly metadata?: MetadataKey
}

/** Posts a message without unfurling links, in a plainer form if Slack refuses it. Resolves with its `ts`. */
export const postMessage = async (
  poster: WebClient,
  { channel, thread, metadata }: PostTarget,
  message: SlackMessage,
  log: Log,
  options: {
    readonly onPlainer?: (() => void) | undefined
    readonly refused?: RefusedBlocks | undefined
  } = {},
): Promise<string> => {
  const posted = await sendWithFallbacks(
    message,
    ({ text, blocks }) =>
      poster.chat.postMessage({
        channel,
        ...(thread === undefined ? {} : { thread_ts: thread }),
        text,
        blocks: [...blocks] as never,
        unfurl_links: false,
        unfurl_media: false,
        ...(metadata && { metadata: metadataOf(metadata) }),
      }),
    log,
    options,
  )
  return String(posted.ts)
}

/** A message in Slack. */
export interface MessageRef {
  readonly channel: string
  readonly ts: string
}

/** Replaces a message. Harmless when repeated. */
export type UpdateMessage = (at: MessageRef, message: SlackMessage, through?: WebClient) => Promise<void>

/**
 * A message that still streams cannot be updated: its stream is ended first, also if a process that died started it.
 */
export const makeUpdateMessage =
  (deps: { readonly client: WebClient; readonly refused: RefusedBlocks; readonly log: Log }): UpdateMessage =>
  async (at, message, through = deps.client) => {
    const { refused } = deps
    const update = ({ text, blocks }: SlackMessage): Promise<unknown> =>
      through.chat.update({ ...at, text, blocks: [...blocks] as never })
    try {
      await sendWithFallbacks(message, update, deps.log, { refused })
    } catch (error) {
      if (slackErrorCode(error) !== 'streaming_state_conflict') throw error
      await endStream(through, at)
      await sendWithFallbacks(message, update, deps.log, { refused })
    }
  }

/** Ends a stream that may have ended already: Slack ends them after about five minutes. */
export const endStream = async (through: WebClient, at: MessageRef): Promise<void> => {
  try {
    await through.chat.stopStream({ ...at })
  } catch (error) {
    if (slackErrorCode(error) === null) throw error
  }
}

/** A key that travels in the metadata of a message. */
interface MetadataKey {
  readonly type: string
  readonly key: string
}

/** As `chat.postMessage` takes it. */
const metadataOf = ({ type, key }: MetadataKey) => ({ event_type: type, event_payload: { key } })

/**
 * The `ts` of our message with this key among the last of a conversation. Null if there is none, or if Slack does not let
 * us look; rejects if Slack cannot be reached.
 */
export const findByMetadata = async (
  client: WebClient,
  channel: string,
  { type, key }: MetadataKey,
): Promise<string | null> => {
  const messages = await lastMessages(client, channel)
  const ours = messages.find(({ metadata }) => {
    const payload = metadata?.event_payload as { key?: unknown } | undefined
    return metadata?.event_type === type && payload?.key === key
  })
  return ours?.ts ?? null
}

const lastMessages = async (client: WebClient, channel: string) => {
  try {
    const answer = await client.conversations.history({ channel, include_all_metadata: true, limit: 200 })
    return answer.messages ?? []
  } catch (error) {
    if (slackErrorCode(error) === null) throw error
    return []
  }
}

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
