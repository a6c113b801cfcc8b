import type { WebClient } from '@slack/web-api'
import { slackErrorCode } from './slack-error-code.ts'

/** A key that travels in the metadata of a message. */
export interface MetadataKey {
  readonly type: string
  readonly key: string
}

/** As `chat.postMessage` takes it. */
export const metadataOf = ({ type, key }: MetadataKey) => ({ event_type: type, event_payload: { key } })

/**
 * The `ts` of our message with this key among the last of a conversation. Null where there is none, and where Slack does
 * not let us look; rejects where it is away.
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
