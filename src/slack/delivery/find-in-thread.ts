import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { SlackLocation } from '../../core/place.ts'

/** Under which event type the question's id travels in the metadata of a message. */
export const REPLY_METADATA_TYPE = 'querent_reply'

/** The `ts` of our message to a question in its thread. Null where there is none, or where we may not look. */
export type FindInThread = (place: SlackLocation, questionId: string) => Promise<string | null>

/**
 * Makes it: the first of our messages that names the question, in its metadata or, since a stream is begun without
 * metadata, in the value of a button such as `Stop`.
 */
export const makeFindInThread =
  (deps: { readonly client: WebClient; readonly log: Log }): FindInThread =>
  async (place, questionId) => {
    try {
      const replies = await deps.client.conversations.replies({
        channel: place.channel,
        ts: place.thread,
        // Ours can only come after the message that asked; a click on an example adds its own time to that.
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
