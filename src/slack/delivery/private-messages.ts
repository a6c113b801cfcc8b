import type { WebClient } from '@slack/web-api'
import type { NotAllowed } from '../../domain/access.ts'
import type { SlackLocation } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { escapeMrkdwn } from '../block-kit/text.ts'
import type { Click } from '../listeners/clicks.ts'
import { notAllowedView } from '../views/errors.ts'

/**
 * Makes telling somebody alone, in the thread where they asked. Where Slack shows nobody anything alone, as in some
 * shared channels, it is said as an ordinary reply: silence would look like a bot that is broken.
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
    const said = { channel, text, blocks: [...blocks] as never }
    // A message alone in the main channel is seen; one below a message that nobody has replied to is easily missed.
    const where = thread === message && !inThread ? {} : { thread_ts: thread }
    try {
      await client.chat.postEphemeral({ ...said, ...where, user: person })
    } catch (error) {
      log.info({ error, channel }, 'nothing can be told to one person here; replying in the thread')
      await client.chat.postMessage({ ...said, thread_ts: thread })
    }
  }

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

/** Says something in somebody's direct messages with us. */
export const sendDirectMessage = async (client: WebClient, person: string, said: string): Promise<void> => {
  const { channel } = await client.conversations.open({ users: person })
  if (channel?.id) await client.chat.postMessage({ channel: channel.id, text: escapeMrkdwn(said) })
}
