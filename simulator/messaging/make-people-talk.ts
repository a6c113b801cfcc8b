import type { EventDelivery } from '../delivery/make-deliver-event.ts'
import { membersOf } from '../gateway/methods/people-and-channels.ts'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Channel, Person } from '../shapes/people.ts'
import type { Workspace } from '../workspace.ts'
import type { Messaging } from './make-messaging.ts'

/** What people post, change and delete. */
export interface PeopleTalk {
  /** `@querent` and `@handle` become mentions, as in Slack's editor. */
  post(said: {
    readonly by: Person
    readonly channel: Channel
    readonly threadTs?: string | null
    readonly text: string
  }): Promise<RecordedMessage>
  edit(message: RecordedMessage, text: string): Promise<RecordedMessage>
  remove(message: RecordedMessage): Promise<void>
  /** Somebody opens one of the two tabs of the bot in the sidebar. */
  openHome(by: Person, tab: 'home' | 'messages'): void
  /** Somebody comes into a channel. */
  join(by: Person, channel: Channel): void
}

export const makePeopleTalk = (
  workspace: Workspace,
  messaging: Messaging,
  events: EventDelivery,
): PeopleTalk => {
  const { people, bot, callEmulator, tokens, views } = workspace

  const callAs = async (by: string, method: string, params: Readonly<Record<string, unknown>>) => {
    const person = people.find(person => person.id === by)
    if (!person) throw new Error('only what people have said can be changed by them')
    const answer = await callEmulator(method, params, tokens.of(person.handle))
    if (!answer.ok) throw new Error(`the emulator refused ${method}: ${answer.error}`)
    return answer
  }

  const withMentions = (text: string): string =>
    [bot, ...people].reduce(
      (written, { handle, id }) =>
        written.replaceAll(new RegExp(`(?<![\\w<])@${handle}\\b`, 'gi'), `<@${id}>`),
      text,
    )

  return {
    post: async ({ by, channel, threadTs = null, text: typed }) => {
      const text = withMentions(typed)
      const stored = await callAs(by.id, 'chat.postMessage', {
        channel: channel.id,
        text,
        ...(threadTs ? { thread_ts: threadTs } : {}),
      })
      const ts = String(stored.ts)
      return messaging.add({
        channel: channel.id,
        ts,
        threadTs,
        author: by.id,
        byBot: false,
        text,
        blocks: [],
      })
    },
    edit: async ({ channel, ts, author }, typed) => {
      const text = withMentions(typed)
      await callAs(author, 'chat.update', { channel, ts, text })
      const edited = messaging.change(channel, ts, 'update', { text, edited: true })
      if (!edited) throw new Error('there is no such message')
      return edited
    },
    remove: async ({ channel, ts, author }) => {
      await callAs(author, 'chat.delete', { channel, ts })
      messaging.change(channel, ts, 'delete', { deleted: true, text: '', blocks: [] })
    },
    join: (by, channel) => {
      channel.members = [...new Set([...membersOf(channel, people), by.id])]
      events.deliver({
        type: 'member_joined_channel',
        user: by.id,
        channel: channel.id,
        channel_type: 'C',
        team: workspace.team.id,
        event_ts: (workspace.now().getTime() / 1_000).toFixed(6),
      })
    },
    openHome: (by, tab) => {
      const direct = workspace.channels.find(channel => channel.person === by.id)
      const home = views.home(by.id)
      events.deliver({
        type: 'app_home_opened',
        user: by.id,
        channel: direct?.id ?? '',
        tab,
        event_ts: (workspace.now().getTime() / 1_000).toFixed(6),
        ...(home ? { view: { id: home.id, type: 'home', hash: home.hash } } : {}),
      })
    },
  }
}
