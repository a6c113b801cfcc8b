import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { z } from 'zod'
import { QuerentError } from '../../domain/errors.ts'
import type { SlackLocation } from '../../domain/message.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { unavailableView } from '../views/replies.ts'
import { tsToDate } from './ask-on-behalf.ts'
import type { Background } from './clicks-and-forms.ts'

/** A person mentioned us in a channel. The same message also comes as a `message` event; both count as one. */
export const makeMentionListener =
  ({ receiveMessage }: Pick<SlackUseCases, 'receiveMessage'>, receiveOrReport: ReceiveOrReport) =>
  async ({
    event,
    context,
    client,
    body,
  }: SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs): Promise<void> => {
    if (!event.user || event.bot_id !== undefined) return
    const location = {
      team: body.team_id,
      channel: event.channel,
      thread: event.thread_ts ?? event.ts,
      message: event.ts,
    }
    const { user } = event
    await receiveOrReport({ client, context }, location, () =>
      receiveMessage({
        text: stripMention(event.text, context.botUserId ?? ''),
        location,
        askedBy: user,
        askedAt: tsToDate(event.ts),
        addressed: true,
        toOthers: false,
      }),
    )
  }

/**
 * A message in a conversation that we are in, or a change or deletion of one: in direct messages, in a thread, or in a
 * channel. Bots and joins are ignored. The use case decides whether a thread is ours.
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
    const textFields = (text: string) => ({
      text: stripMention(text, botUserId),
      addressed: direct || text.includes(`<@${botUserId}`),
      toOthers: mentionsOthers(text, botUserId),
    })
    const locationOf = (message: string, thread: string) => ({
      team: body.team_id,
      channel: event.channel,
      thread,
      message,
    })
    const change = parseMessageChange(event, botUserId)
    if (change?.kind === 'deletion') {
      await receiveDeletion({ location: locationOf(change.ts, change.thread), deletedBy: change.by })
      return
    }
    if (change) {
      await receiveEdit({
        ...textFields(change.text),
        location: locationOf(change.ts, change.thread),
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
    const location = locationOf(event.ts, thread)
    const receive = (): Promise<unknown> =>
      receiveMessage({
        ...textFields(event.text ?? ''),
        ...(direct ? { isDirect: true as const } : {}),
        location,
        askedBy: user,
        askedAt: tsToDate(event.ts),
      })
    // A message that mentions us in a channel also comes as a mention, whose listener reports an outage.
    await (direct ? receiveOrReport({ client, context }, location, receive) : receive())
  }

/** An outage after this time is another one, and is reported again. */
const SAME_OUTAGE_MS = 15 * 60_000

/** Threads remembered; beyond this the oldest may be told twice. */
const MOST_REMEMBERED_THREADS = 1_000

/** Receives a message. Rejects if it could not be stored, so that Slack delivers it again. */
type ReceiveOrReport = (
  { client, context }: Pick<AllMiddlewareArgs, 'client' | 'context'>,
  location: SlackLocation,
  receive: () => Promise<unknown>,
) => Promise<void>

/**
 * Reports an outage of our own store in the thread, once. Only the first delivery of a message is reported, so that of
 * several processes only one posts. Nothing about it can be stored.
 */
export const makeReceiveOrReport = (background: Background, now: () => number): ReceiveOrReport => {
  const reportedAt = new Map<string, number>()

  const isFirstIn = ({ channel, thread }: SlackLocation): boolean => {
    const key = `${channel} ${thread}`
    const at = reportedAt.get(key)
    if (at !== undefined && now() - at < SAME_OUTAGE_MS) return false
    reportedAt.delete(key)
    reportedAt.set(key, now())
    const [oldest] = reportedAt.keys()
    if (reportedAt.size > MOST_REMEMBERED_THREADS && oldest !== undefined) reportedAt.delete(oldest)
    return true
  }

  return async ({ client, context }, location, receive) => {
    try {
      await receive()
    } catch (error) {
      const isAway = error instanceof QuerentError && error.code === 'store-unavailable'
      if (isAway && context.retryNum === undefined && isFirstIn(location)) {
        background.run('reporting that the store is unreachable', () =>
          client.chat.postMessage({
            channel: location.channel,
            thread_ts: location.thread,
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

/** A change of a message. `thread` is the message itself if it is in no thread. */
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
 * with replies that is deleted stays as a `tombstone`, which Slack reports as a change.
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

/** The text of a message without any mention of us. */
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

/** Whether a text mentions people but not us, so that it is addressed to them. Slack writes a mention as `<@U012AB3CD>`. */
export const mentionsOthers = (text: string, botUserId: string): boolean => {
  const named = [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g)].map(([, id]) => id)
  return named.length > 0 && !named.includes(botUserId)
}

/** Somebody joined a channel: what was posted there is looked at again. */
export const makeMemberJoined =
  ({ recheckChannel }: Pick<SlackUseCases, 'recheckChannel'>) =>
  async ({
    body,
    context,
    event,
  }: SlackEventMiddlewareArgs<'member_joined_channel'> & AllMiddlewareArgs): Promise<void> => {
    if (event.user === context.botUserId) return
    await recheckChannel({ team: body.team_id, channel: event.channel, joinedAt: event.event_ts })
  }
