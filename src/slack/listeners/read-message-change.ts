import { z } from 'zod'

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
export type MessageChange =
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
