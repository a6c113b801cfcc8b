import type { WebClient } from '@slack/web-api'
import type { NotAllowed } from '../../domain/access/access.ts'
import type { SlackLocation } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { escapeMrkdwn } from '../block-kit/text.ts'
import type { Click } from '../listeners/clicks-and-forms.ts'
import { notAllowedView } from '../views/replies.ts'

/**
 * Tells a person privately why they are not answered, in the thread where they asked. If Slack allows no private messages
 * there, as in some shared channels, it is an ordinary reply: silence would look like a broken bot.
 */
export const makeNotifyRefusal =
  ({
    client,
    admins,
    log,
  }: {
    readonly client: WebClient
    readonly admins: readonly string[]
    readonly log: Log
  }) =>
  async (
    place: SlackLocation,
    person: string,
    refusal: NotAllowed,
    { inThread }: { readonly inThread: boolean } = { inThread: false },
  ): Promise<void> => {
    const { text, blocks } = notAllowedView(refusal, admins)
    const { channel, thread, message } = place
    const content = { channel, text, blocks: [...blocks] as never }
    // A private message in the main channel is seen; one below a message without replies is easily missed.
    const target = thread === message && !inThread ? {} : { thread_ts: thread }
    try {
      await client.chat.postEphemeral({ ...content, ...target, user: person })
    } catch (error) {
      log.info({ error, channel }, 'private messages are not possible here; replying in the thread')
      await client.chat.postMessage({ ...content, thread_ts: thread })
    }
  }

/**
 * Posts text that only the person who clicked sees, where they clicked: in the thread, or in the channel if `message` is
 * the thread's first. In a thread without replies Slack shows nothing, and reports success. The text may quote SQL and
 * errors, so it is escaped: nothing in it mentions anyone.
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

/** Posts text in a person's direct messages with us. */
export const sendDirectMessage = async (client: WebClient, person: string, text: string): Promise<void> => {
  const { channel } = await client.conversations.open({ users: person })
  if (channel?.id) await client.chat.postMessage({ channel: channel.id, text: escapeMrkdwn(text) })
}
