import type { WebClient } from '@slack/web-api'
import type { LocatedQuestion } from '../../core/delivery.ts'
import type { Click } from './click.ts'

/** Tells whoever clicked that the choice is the asker's. Seen by that person alone. */
export const notifyOnlyAskerChooses = async (
  client: WebClient,
  click: Click,
  placed: LocatedQuestion,
): Promise<void> => {
  await client.chat.postEphemeral({
    channel: click.channel,
    user: click.person,
    thread_ts: click.thread,
    text: `Only ${placed.question.askedBy ? `<@${placed.question.askedBy}>` : 'the person who asked'} can choose here.`,
  })
}
