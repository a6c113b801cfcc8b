import type { WebClient } from '@slack/web-api'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import type { Click } from './click.ts'

/**
 * Says something that only whoever clicked sees, where they clicked: in the thread, or in the channel where `message` is the
 * thread's first one. Slack shows nothing of it in a thread that nobody has begun, and says that it did. It may quote SQL and
 * errors: nothing of it mentions anybody.
 */
export const sendEphemeral = async (
  client: WebClient,
  { channel, person, thread, message }: Pick<Click, 'channel' | 'person' | 'thread'> & Partial<Click>,
  text: string,
): Promise<void> => {
  await client.chat.postEphemeral({
    channel,
    user: person,
    ...(message === thread ? {} : { thread_ts: thread }),
    text: escapeMrkdwn(text),
  })
}
