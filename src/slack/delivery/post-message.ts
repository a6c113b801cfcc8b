import type { WebClient } from '@slack/web-api'
import type { Log } from '../../core/log.ts'
import type { SlackMessage } from '../check-message.ts'
import { type MetadataKey, metadataOf } from './find-by-metadata.ts'
import { sendWithFallbacks } from './send-down-the-ladder.ts'

/** Where a message goes, and by what it is found again. */
export interface PostTarget {
  readonly channel: string
  readonly thread?: string | undefined
  readonly metadata?: MetadataKey
}

/** Posts a message, in the plainest form that it takes, without unfurling links. Resolves with its `ts`. */
export const postMessage = async (
  poster: WebClient,
  { channel, thread, metadata }: PostTarget,
  message: SlackMessage,
  log: Log,
  onPlainer?: () => void,
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
    onPlainer,
  )
  return String(posted.ts)
}
