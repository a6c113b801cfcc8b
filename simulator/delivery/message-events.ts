import type { RecordedMessage } from '../shapes/message.ts'
import type { Channel } from '../shapes/people.ts'
import type { Bot } from '../workspace.ts'
import type { SlackEvent } from './make-deliver-event.ts'

/** Where a message is, for the events about it. */
interface Place {
  readonly channel: Channel
  readonly teamId: string
  readonly bot: Bot
  readonly now: Date
}

/**
 * The events that a new message causes: in a channel a `message`, and an `app_mention` beside it when the bot is
 * named (two events with two ids about one message, as in Slack); in direct messages a `message` alone.
 */
export const newMessageEvents = (message: RecordedMessage, place: Place): SlackEvent[] => {
  const event = { ...messageFields(message, place), channel: message.channel, event_ts: message.ts }
  const told: SlackEvent = { ...event, channel_type: channelType(place.channel) }
  const mentioned =
    !message.byBot && place.channel.kind === 'channel' && message.text.includes(`<@${place.bot.id}>`)
  return mentioned ? [{ ...event, type: 'app_mention' }, told] : [told]
}

/** The event that a changed or deleted message causes. */
export const changedMessageEvent = (
  before: RecordedMessage,
  after: RecordedMessage,
  place: Place,
): SlackEvent => {
  const eventTs = (place.now.getTime() / 1_000).toFixed(6)
  return {
    type: 'message',
    ...(after.deleted
      ? { subtype: 'message_deleted', deleted_ts: after.ts }
      : { subtype: 'message_changed', message: messageFields(after, place) }),
    previous_message: messageFields(before, place),
    hidden: true,
    channel: after.channel,
    channel_type: channelType(place.channel),
    ts: eventTs,
    event_ts: eventTs,
  }
}

/** A message as the bot sees it in events and interactions. */
export const messageFields = (
  message: RecordedMessage,
  { bot, teamId }: Pick<Place, 'bot' | 'teamId'>,
): SlackEvent => ({
  type: 'message',
  ...(message.files.length > 0 ? { subtype: 'file_share' } : {}),
  user: message.author,
  ts: message.ts,
  ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
  text: message.text,
  team: teamId,
  ...(message.byBot ? { bot_id: bot.botId, app_id: bot.appId } : {}),
  ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
  ...(message.files.length > 0 ? { files: message.files } : {}),
  ...(message.edited ? { edited: { user: message.author, ts: message.ts } } : {}),
})

const channelType = (channel: Channel): string => (channel.kind === 'direct' ? 'im' : 'channel')
