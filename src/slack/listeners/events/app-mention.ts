import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../../use-cases.ts'
import type { ReceiveOrReport } from '../hear-or-say.ts'
import { stripMention } from '../read-mention.ts'
import { tsToDate } from '../ts-to-date.ts'

/** Somebody named us in a channel. The same message comes as a `message` event too; both are heard as one. */
export const makeMentionListener =
  ({ hear }: Pick<SlackUseCases, 'hear'>, hearOrSay: ReceiveOrReport) =>
  async ({
    event,
    context,
    client,
    body,
  }: SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs): Promise<void> => {
    if (!event.user || event.bot_id !== undefined) return
    const place = {
      team: body.team_id,
      channel: event.channel,
      thread: event.thread_ts ?? event.ts,
      message: event.ts,
    }
    const { user } = event
    await hearOrSay({ client, context }, place, () =>
      hear({
        text: stripMention(event.text, context.botUserId ?? ''),
        place,
        askedBy: user,
        askedAt: tsToDate(event.ts),
        addressed: true,
        toOthers: false,
      }),
    )
  }
