import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import { QuerentError } from '../../domain/errors.ts'
import type { SlackLocation } from '../../domain/message.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { unavailableView } from '../views/errors.ts'
import { tsToDate } from './ask-on-behalf.ts'
import type { Background } from './background.ts'

/** Somebody named us in a channel. The same message comes as a `message` event too; both are heard as one. */
export const makeMentionListener =
  ({ receiveMessage }: Pick<SlackUseCases, 'receiveMessage'>, receiveOrReport: ReceiveOrReport) =>
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
    await receiveOrReport({ client, context }, place, () =>
      receiveMessage({
        text: stripMention(event.text, context.botUserId ?? ''),
        location: place,
        askedBy: user,
        askedAt: tsToDate(event.ts),
        addressed: true,
        toOthers: false,
      }),
    )
  }

/**
 * Somebody said something where we can hear it: to us alone, in a thread, or in a channel; or changed or deleted what
 * they had said. Bots and joins are not questions. Whether a thread is ours is for the use case to say.
 */
export const makeMessageListener =
  (
    {
      receiveMessage,
      receiveEdit,
      receiveDeletion,
    }: Pick<SlackUseCases, 'receiveMessage' | 'receiveEdit' | 'receiveDeletion'>,
    receiveOrReport: ReceiveOrReport,
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
      await receiveDeletion({ location: placeOf(change.ts, change.thread), deletedBy: change.by })
      return
    }
    if (change) {
      await receiveEdit({
        ...said(change.text),
        location: placeOf(change.ts, change.thread),
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
      receiveMessage({
        ...said(event.text ?? ''),
        ...(direct ? { isDirect: true as const } : {}),
        location: place,
        askedBy: user,
        askedAt: tsToDate(event.ts),
      })
    // What names us in a channel comes as a mention too, which sees to the word.
    await (direct ? receiveOrReport({ client, context }, place, heard) : heard())
  }

/** An outage after this is another one, and is worth a word of its own. */
const SAME_OUTAGE_MS = 15 * 60_000

/** Threads remembered; beyond it the oldest may be told twice. */
const MOST_REMEMBERED_THREADS = 1_000

/** Hears what was said to us. Rejects when it could not be taken in, so that Slack delivers it again. */
type ReceiveOrReport = (
  { client, context }: Pick<AllMiddlewareArgs, 'client' | 'context'>,
  place: SlackLocation,
  hear: () => Promise<unknown>,
) => Promise<void>

/**
 * Makes it: where our own store is away, that is said in the thread, once. Of several deliveries of a message the first
 * alone is told of, so that of several processes one speaks. Nothing is stored of it, as there is nowhere to store it.
 */
export const makeReceiveOrReport = (background: Background, now: () => number): ReceiveOrReport => {
  const told = new Map<string, number>()

  const isFirstIn = ({ channel, thread }: SlackLocation): boolean => {
    const key = `${channel} ${thread}`
    const at = told.get(key)
    if (at !== undefined && now() - at < SAME_OUTAGE_MS) return false
    told.delete(key)
    told.set(key, now())
    const [oldest] = told.keys()
    if (told.size > MOST_REMEMBERED_THREADS && oldest !== undefined) told.delete(oldest)
    return true
  }

  return async ({ client, context }, place, hear) => {
    try {
      await hear()
    } catch (error) {
      const isAway = error instanceof QuerentError && error.code === 'store-unavailable'
      if (isAway && context.retryNum === undefined && isFirstIn(place)) {
        background.run('telling that the store is away', () =>
          client.chat.postMessage({
            channel: place.channel,
            thread_ts: place.thread,
            text: unavailableView.text,
            blocks: [...unavailableView.blocks] as never,
          }),
        )
      }
      throw error
    }
  }
}

const Message = z.looseObject({
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  ts: z.string(),
  thread_ts: z.string().optional(),
})

const Changed = z.looseObject({
  subtype: z.literal('message_changed'),
  message: Message,
  event_ts: z.string(),
})

const Deleted = z.looseObject({
  subtype: z.literal('message_deleted'),
  deleted_ts: z.string(),
  previous_message: Message.optional(),
})

/** A change of a message as Slack tells it. `thread` is the message itself where it is in no thread. */
type MessageChange =
  | {
      readonly kind: 'edit'
      readonly by: string
      readonly text: string
      readonly ts: string
      readonly thread: string
      readonly changedAt: string
    }
  | { readonly kind: 'deletion'; readonly by: string | null; readonly ts: string; readonly thread: string }

/**
 * Reads the event of a changed or deleted message of a person; null for any other, and for messages of bots. A message
 * with replies that is deleted stays as a `tombstone`, which Slack tells as a change.
 */
export const parseMessageChange = (event: unknown, botUserId: string): MessageChange | null => {
  const changed = Changed.safeParse(event)
  if (changed.success) {
    const { message, event_ts: changedAt } = changed.data
    const { user, ts, thread_ts: thread = ts, text = '' } = message
    if (message.subtype === 'tombstone') return { kind: 'deletion', by: null, ts, thread }
    if (user === undefined || user === botUserId || message.bot_id !== undefined) return null
    return { kind: 'edit', by: user, text, ts, thread, changedAt }
  }
  const deleted = Deleted.safeParse(event)
  if (!deleted.success) return null
  const { deleted_ts: ts, previous_message: before } = deleted.data
  if (before?.user === botUserId || before?.bot_id !== undefined) return null
  return { kind: 'deletion', by: before?.user ?? null, ts, thread: before?.thread_ts ?? ts }
}

/** The text of a message without the mention of us at its start, or anywhere else in it. */
const stripMention = (text: string, botUserId: string): string =>
  text
    .replaceAll(`<@${botUserId}>`, ' ')
    .replace(new RegExp(`<@${botUserId}\\|[^>]*>`, 'g'), ' ')
    // Slack escapes what people type; a question is about the characters, not about the escapes.
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether a text names people, and not us: then it is said to them. Slack writes a mention as `<@U012AB3CD>`. */
export const mentionsOthers = (text: string, botUserId: string): boolean => {
  const named = [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g)].map(([, id]) => id)
  return named.length > 0 && !named.includes(botUserId)
}
