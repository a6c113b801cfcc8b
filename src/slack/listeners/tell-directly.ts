import type { WebClient } from '@slack/web-api'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'

/** Says something in somebody's direct messages with us. */
export const sendDirectMessage = async (client: WebClient, person: string, said: string): Promise<void> => {
  const { channel } = await client.conversations.open({ users: person })
  if (channel?.id) await client.chat.postMessage({ channel: channel.id, text: escapeMrkdwn(said) })
}
