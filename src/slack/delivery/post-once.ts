import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { OutboundLog } from '../../core/outbound.ts'
import type { Place } from '../../core/place.ts'
import type { SlackMessage } from '../check-message.ts'
import { sendDownTheLadder } from './send-down-the-ladder.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Under which event type the question's id travels in the metadata of a message. */
const METADATA_TYPE = 'querent_reply'

/** How often a post is tried whose answer does not come, and the pause after the first of them. */
const ATTEMPTS = 4
const PAUSE_MS = 300

/** Posts the first message of a question in its thread, once, and returns its `ts`. */
export type PostOnce = (questionId: string, place: Place, message: SlackMessage) => Promise<string>

/**
 * Makes it. The claim is stored before the post and the `ts` after. A crash between the two leaves a doubt, and so does
 * a post whose answer is lost on its way: then the thread is searched for the question's id in the metadata, and where
 * that finds nothing the message is posted again, because a duplicate is better than a lost answer.
 */
export const makePostOnce = (deps: {
  readonly client: WebClient
  /** Makes no call again by itself: that would post a second message when only the answer to the first was lost. */
  readonly poster: WebClient
  readonly outbound: OutboundLog
  readonly now: () => Date
  readonly log: Log
}): PostOnce => {
  const { client, poster, outbound, now, log } = deps

  const send = async (questionId: string, place: Place, message: SlackMessage): Promise<string> => {
    const posted = await sendDownTheLadder(
      message,
      ({ text, blocks }) =>
        poster.chat.postMessage({
          channel: place.channel,
          thread_ts: place.thread,
          text,
          blocks: [...blocks] as never,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: METADATA_TYPE, event_payload: { question_id: questionId } },
        }),
      log,
    )
    return String(posted.ts)
  }

  const sendUntilThere = async (
    questionId: string,
    place: Place,
    message: SlackMessage,
    attempt = 1,
  ): Promise<string> => {
    try {
      return await send(questionId, place, message)
    } catch (error) {
      // A refusal is certain; anything else may have happened after the message was posted.
      if (slackErrorCode(error) !== null || attempt === ATTEMPTS) throw error
      log.warn({ questionId, attempt, error }, 'no answer to the first message; looking whether it is there')
      await sleep(PAUSE_MS * 2 ** (attempt - 1))
      const found = await findInThread(client, place, questionId, log)
      return found ?? sendUntilThere(questionId, place, message, attempt + 1)
    }
  }

  const post = async (questionId: string, place: Place, message: SlackMessage): Promise<string> => {
    const ts = await sendUntilThere(questionId, place, message)
    await outbound.markPosted(questionId, 'reply', ts)
    return ts
  }

  return async (questionId, place, message) => {
    const claimedAt = now()
    const claim = {
      questionId,
      step: 'reply',
      channel: place.channel,
      payload: { text: message.text },
      claimedAt,
    }
    if (await outbound.claim(claim)) return post(questionId, place, message)
    const known = await outbound.find(questionId, 'reply')
    if (known?.ts) return known.ts
    const found = await findInThread(client, place, questionId, log)
    if (found) {
      await outbound.markPosted(questionId, 'reply', found)
      return found
    }
    if (
      known &&
      !(await outbound.reclaim({ questionId, step: 'reply', claimedAt: known.claimedAt }, now()))
    ) {
      const other = await outbound.find(questionId, 'reply')
      if (other?.ts) return other.ts
    }
    log.warn({ questionId }, 'it is in doubt whether the first message was posted; posting it again')
    return post(questionId, place, message)
  }
}

/** Looks for our message in the thread by its metadata. Null where there is none, or where we may not look. */
const findInThread = async (
  client: WebClient,
  place: Place,
  questionId: string,
  log: Log,
): Promise<string | null> => {
  try {
    const replies = await client.conversations.replies({
      channel: place.channel,
      ts: place.thread,
      // Ours can only come after the message that asked; a click on an example adds its own time to that.
      oldest: place.message.split('/')[0] ?? place.thread,
      inclusive: true,
      include_all_metadata: true,
      limit: 200,
    })
    const ours = replies.messages?.find(message => {
      const { event_type, event_payload } = message.metadata ?? {}
      const payload = event_payload as { question_id?: unknown } | undefined
      return event_type === METADATA_TYPE && payload?.question_id === questionId
    })
    return ours?.ts ?? null
  } catch (error) {
    log.warn({ error, questionId }, 'the thread could not be searched for our message')
    return null
  }
}
