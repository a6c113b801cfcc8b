import type { EventDelivery } from '../delivery/make-deliver-event.ts'
import { changedMessageEvent, newMessageEvents } from '../delivery/message-events.ts'
import type { MessageVersion, RecordedMessage } from '../shapes/message.ts'
import type { Workspace } from '../workspace.ts'

/** Records messages and sends the bot events about them, including its own, as Slack does. */
export interface Messaging {
  add(message: Parameters<Workspace['messages']['add']>[0]): RecordedMessage
  change(
    channel: string,
    ts: string,
    by: MessageVersion['by'],
    change: Parameters<Workspace['messages']['change']>[3],
  ): RecordedMessage | null
}

export const makeMessaging = (workspace: Workspace, events: EventDelivery): Messaging => {
  const { messages, statuses, channels, bot, team } = workspace
  const placeOf = (message: RecordedMessage) => {
    const channel = channels.find(channel => channel.id === message.channel)
    return channel ? { channel, teamId: team.id, bot, now: workspace.now() } : null
  }
  return {
    add: given => {
      const message = messages.add(given)
      if (message.byBot && message.threadTs) statuses.clear(message.channel, message.threadTs)
      const place = placeOf(message)
      if (place && message.onlyFor === null) newMessageEvents(message, place).forEach(events.deliver)
      return message
    },
    change: (channel, ts, by, change) => {
      const before = messages.find(channel, ts)
      const after = messages.change(channel, ts, by, change)
      if (!before || !after) return null
      const place = placeOf(after)
      if (place && after.onlyFor === null) events.deliver(changedMessageEvent(before, after, place))
      return after
    },
  }
}
