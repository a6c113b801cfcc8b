import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyBlock } from '@slack/types'
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api'
import type { LocatedQuestion, OutboundMessageLog, SlackLocation } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { initialTimeline, stopButtonRow, timelineChunks } from '../views/progress.ts'
import { slackErrorCode } from './client.ts'
import { sendWithFallbacks } from './fallbacks.ts'
import type { RefusedBlocks } from './refused-blocks.ts'

/** How often a post without a response is tried, and the pause after the first attempt. */
const ATTEMPTS = 4

const PAUSE_MS = 300

/** How often Slack may tell us to wait before we give up; the job is retried then. */
const RATE_LIMIT_WAITS = 5

/** The first message of a question. `streaming`: it was just started as a stream that takes more. */
export interface FirstMessage {
  readonly ts: string
  readonly streaming: boolean
}

/**
 * Posts the first message of a question to its thread, once: as a stream if asked for and Slack starts it, otherwise as
 * an ordinary message. Called again, it only returns where the message is.
 */
export type PostFirstMessage = (
  placed: LocatedQuestion,
  message: SlackMessage,
  options?: { readonly stream: boolean },
) => Promise<FirstMessage>

/**
 * The claim is stored before the post and the `ts` after. After a crash between the two, or a lost response, it is
 * unknown whether the message exists: the thread is searched for the question's id, and if that finds nothing the
 * message is posted again, because a duplicate is better than a lost answer.
 */
export const makePostFirstMessage = (deps: {
  readonly findInThread: FindInThread
  /** Retries nothing by itself: that would post a second message if only the response to the first was lost. */
  readonly poster: WebClient
  readonly startStream: StartStream
  readonly outbound: OutboundMessageLog
  readonly refused: RefusedBlocks
  readonly now: () => Date
  readonly log: Log
}): PostFirstMessage => {
  const { poster, outbound, refused, now, log } = deps

  const send = async (
    { question, location: place }: LocatedQuestion,
    message: SlackMessage,
  ): Promise<FirstMessage> => {
    const posted = await sendWithFallbacks(
      message,
      ({ text, blocks }) =>
        poster.chat.postMessage({
          channel: place.channel,
          thread_ts: place.thread,
          text,
          blocks: [...blocks] as never,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: REPLY_METADATA_TYPE, event_payload: { question_id: question.id } },
        }),
      log,
      { refused },
    )
    return { ts: String(posted.ts), streaming: false }
  }

  /** Null if Slack refuses to stream, for any reason; an ordinary message serves as well. */
  const stream = async (placed: LocatedQuestion): Promise<FirstMessage | null> => {
    try {
      const ts = await deps.startStream(placed)
      return ts === null ? null : { ts, streaming: true }
    } catch (error) {
      // Slack limits streams more than messages: a limited stream is no reason to wait.
      if (!isRefusal(error) && !(error instanceof WebAPIRateLimitedError)) throw error
      log.debug({ error }, 'Slack starts no stream; posting')
      return null
    }
  }

  const sendUntilPosted = async (
    placed: LocatedQuestion,
    message: SlackMessage,
    tries: { readonly attempt: number; readonly waits: number; readonly stream: boolean },
  ): Promise<FirstMessage> => {
    const { attempt, waits } = tries
    const questionId = placed.question.id
    try {
      return (tries.stream ? await stream(placed) : null) ?? (await send(placed, message))
    } catch (error) {
      // A rate-limited message was certainly not posted: no need to look for it.
      if (error instanceof WebAPIRateLimitedError && waits < RATE_LIMIT_WAITS) {
        await sleep(error.retryAfter * 1_000)
        return sendUntilPosted(placed, message, { ...tries, waits: waits + 1 })
      }
      // A refused one was not either; any other error may have come after the message was posted.
      if (isRefusal(error) || attempt === ATTEMPTS) throw error
      log.warn(
        { questionId, attempt, error },
        'no response to the first message; looking for it in the thread',
      )
      await sleep(PAUSE_MS * 2 ** (attempt - 1))
      const found = await deps.findInThread(placed.location, questionId)
      if (found) return { ts: found, streaming: false }
      return sendUntilPosted(placed, message, { attempt: attempt + 1, waits, stream: false })
    }
  }

  const post = async (
    placed: LocatedQuestion,
    message: SlackMessage,
    stream: boolean,
  ): Promise<FirstMessage> => {
    const first = await sendUntilPosted(placed, message, { attempt: 1, waits: 0, stream })
    await outbound.markPosted(placed.question.id, 'reply', first.ts)
    return first
  }

  return async (placed, message, options = { stream: false }) => {
    const questionId = placed.question.id
    const claimedAt = now()
    const claim = {
      questionId,
      step: 'reply',
      channel: placed.location.channel,
      payload: { text: message.text },
      claimedAt,
    }
    if (await outbound.claim(claim)) return post(placed, message, options.stream)
    const known = await outbound.find(questionId, 'reply')
    if (known?.ts) return { ts: known.ts, streaming: false }
    const found = await deps.findInThread(placed.location, questionId)
    if (found) {
      await outbound.markPosted(questionId, 'reply', found)
      return { ts: found, streaming: false }
    }
    if (
      known &&
      !(await outbound.reclaim({ questionId, step: 'reply', claimedAt: known.claimedAt }, now()))
    ) {
      const other = await outbound.find(questionId, 'reply')
      if (other?.ts) return { ts: other.ts, streaming: false }
    }
    log.warn({ questionId }, 'unknown whether the first message was posted; posting it again')
    return post(placed, message, options.stream)
  }
}

/** Slack refused the call, so it did nothing. */
const isRefusal = (error: unknown): boolean => slackErrorCode(error) !== null

/** Starts a streaming message with the timeline and `Stop`, and returns its `ts`. Null if there is nobody to stream to. */
type StartStream = (placed: LocatedQuestion) => Promise<string | null>

/** In a channel Slack streams to one person, the asker; everyone else sees the message as it started, and the outcome. */
export const makeStartStream =
  (poster: WebClient): StartStream =>
  async ({ question, location: place }) => {
    if (!question.askedBy) return null
    const started = await poster.chat.startStream({
      channel: place.channel,
      thread_ts: place.thread,
      recipient_team_id: place.team,
      recipient_user_id: question.askedBy,
      task_display_mode: 'timeline',
      chunks: [
        ...timelineChunks(initialTimeline),
        { type: 'blocks', blocks: [stopButtonRow(question.id)] as unknown as AnyBlock[] },
      ],
    })
    return started.ts ?? null
  }

/** Under which event type the question's id travels in the metadata of a message. */
const REPLY_METADATA_TYPE = 'querent_reply'

/** The `ts` of our message to a question in its thread. Null if there is none, or if Slack does not let us look. */
type FindInThread = (place: SlackLocation, questionId: string) => Promise<string | null>

/**
 * Finds the first of our messages that names the question: in its metadata or, since a stream starts without metadata, in
 * the value of a button such as `Stop`.
 */
export const makeFindInThread =
  (deps: { readonly client: WebClient; readonly log: Log }): FindInThread =>
  async (place, questionId) => {
    try {
      const replies = await deps.client.conversations.replies({
        channel: place.channel,
        ts: place.thread,
        // Ours can only come after the message that asked; a click on an example appends its own time to that id.
        oldest: place.message.split('/')[0] ?? place.thread,
        inclusive: true,
        include_all_metadata: true,
        limit: 200,
      })
      const ours = replies.messages?.find(
        message =>
          questionIdInMetadata(message.metadata) === questionId || hasButtonFor(message.blocks, questionId),
      )
      return ours?.ts ?? null
    } catch (error) {
      deps.log.warn({ error, questionId }, 'the thread could not be searched for our message')
      return null
    }
  }

const questionIdInMetadata = (
  metadata: { readonly event_type?: string; readonly event_payload?: unknown } | undefined,
): unknown =>
  metadata?.event_type === REPLY_METADATA_TYPE
    ? (metadata.event_payload as { question_id?: unknown } | undefined)?.question_id
    : null

const hasButtonFor = (blocks: unknown, questionId: string): boolean =>
  Array.isArray(blocks) &&
  blocks.some(
    block =>
      block?.type === 'actions' &&
      Array.isArray(block.elements) &&
      block.elements.some((element: { value?: unknown }) => element?.value === questionId),
  )
