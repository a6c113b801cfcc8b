import type { WebClient } from '@slack/web-api'
import type { NotAllowed } from '../../core/access.ts'
import type { Log } from '../../core/log.ts'
import type { SlackLocation } from '../../core/place.ts'
import { notAllowedView } from '../views/not-allowed.ts'

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
