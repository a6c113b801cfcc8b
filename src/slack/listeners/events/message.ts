import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../../use-cases.ts'
import type { ReceiveOrReport } from '../hear-or-say.ts'
import { mentionsOthers } from '../names-others.ts'
import { stripMention } from '../read-mention.ts'
import { parseMessageChange } from '../read-message-change.ts'
import { tsToDate } from '../ts-to-date.ts'

/**
 * Somebody said something where we can hear it: to us alone, in a thread, or in a channel; or changed or deleted what
 * they had said. Bots and joins are not questions. Whether a thread is ours is for the use case to say.
 */
export const makeMessageListener =
  (
    { hear, hearEdit, hearDeletion }: Pick<SlackUseCases, 'hear' | 'hearEdit' | 'hearDeletion'>,
    hearOrSay: ReceiveOrReport,
  ) =>
  async ({
    event,
    context,
    client,
    body,
  }: SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs): Promise<void> => {
    const botUserId = context.botUserId ?? ''
    const direct = event.channel_type === 'im'
    const said = (text: string) => ({
      text: stripMention(text, botUserId),
      addressed: direct || text.includes(`<@${botUserId}`),
      toOthers: mentionsOthers(text, botUserId),
    })
    const placeOf = (message: string, thread: string) => ({
      team: body.team_id,
      channel: event.channel,
      thread,
      message,
    })
    const change = parseMessageChange(event, botUserId)
    if (change?.kind === 'deletion') {
      await hearDeletion({ place: placeOf(change.ts, change.thread), deletedBy: change.by })
      return
    }
    if (change) {
      await hearEdit({
        ...said(change.text),
        place: placeOf(change.ts, change.thread),
        askedBy: change.by,
        askedAt: tsToDate(change.ts),
        changedAt: change.changedAt,
      })
      return
    }
    if (event.subtype !== undefined && event.subtype !== 'thread_broadcast') return
    if (!('user' in event) || !event.user || ('bot_id' in event && event.bot_id)) return
    const thread = 'thread_ts' in event && event.thread_ts ? event.thread_ts : event.ts
    const { user } = event
    const place = placeOf(event.ts, thread)
    const heard = (): Promise<unknown> =>
      hear({
        ...said(event.text ?? ''),
        ...(direct ? { alone: true as const } : {}),
        place,
        askedBy: user,
        askedAt: tsToDate(event.ts),
      })
    // What names us in a channel comes as a mention too, which sees to the word.
    await (direct ? hearOrSay({ client, context }, place, heard) : heard())
  }
