import type { WebClient } from '@slack/web-api'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import type { Click } from './click.ts'

/** Says something in the thread that only whoever clicked sees. It may quote SQL and errors: nothing of it mentions anybody. */
export const tellPerson = async (
  client: WebClient,
  click: Pick<Click, 'channel' | 'person' | 'thread'>,
  text: string,
): Promise<void> => {
  await client.chat.postEphemeral({
    channel: click.channel,
    user: click.person,
    thread_ts: click.thread,
    text: escapeMrkdwn(text),
  })
}
