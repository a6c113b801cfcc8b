import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../../use-cases.ts'
import { readMention } from '../read-mention.ts'
import { tsToDate } from '../ts-to-date.ts'

/**
 * Somebody said something where we can hear it: to us alone, in a thread, or in a channel. Bots, edits, deletions and
 * joins are not questions. Whether a thread is ours is for the use case to say.
 */
export const makeMessage =
  ({ hear }: Pick<SlackUseCases, 'hear'>) =>
  async ({
    event,
    context,
    body,
  }: SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs): Promise<void> => {
    if (event.subtype !== undefined && event.subtype !== 'thread_broadcast') return
    if (!('user' in event) || !event.user || ('bot_id' in event && event.bot_id)) return
    const text = event.text ?? ''
    const botUserId = context.botUserId ?? ''
    const direct = event.channel_type === 'im'
    const thread = 'thread_ts' in event && event.thread_ts ? event.thread_ts : event.ts
    await hear({
      text: readMention(text, botUserId),
      place: { team: body.team_id, channel: event.channel, thread, message: event.ts },
      askedBy: event.user,
      askedAt: tsToDate(event.ts),
      addressed: direct || text.includes(`<@${botUserId}`),
    })
  }
