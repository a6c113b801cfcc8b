import type { Channel } from '../shapes/people.ts'
import { Composer } from './composer.tsx'
import { Message } from './message.tsx'
import { MessageList } from './message-list.tsx'
import { useWorkspace } from './workspace-context.ts'

/** One thread: its first message, the replies, what the bot is doing, and where to answer. Escape closes it. */
export const ThreadPane = (props: {
  readonly channel: Channel
  readonly threadTs: string
  /** Whether one goes on writing here: who opened a thread wants to, who asked in the channel may not. */
  readonly focused: boolean
  onClose(): void
}) => {
  const { channel, threadTs } = props
  const { snapshot } = useWorkspace()
  const messages = snapshot.messages.filter(
    message => message.channel === channel.id && (message.ts === threadTs || message.threadTs === threadTs),
  )
  const status = snapshot.statuses.find(
    status => status.channel === channel.id && status.threadTs === threadTs,
  )
  const title = snapshot.titles.find(
    named => named.channel === channel.id && named.threadTs === threadTs,
  )?.title
  return (
    <aside
      className="pane thread-pane"
      aria-label="Thread"
      onKeyDown={event => {
        if (event.key === 'Escape' && !event.defaultPrevented) props.onClose()
      }}
    >
      <header className="pane-header">
        <h2>{title ?? 'Thread'}</h2>
        <span className="where">{channel.kind === 'direct' ? channel.name : `#${channel.name}`}</span>
        <button type="button" className="plain" onClick={props.onClose} aria-label="Close thread">
          ✕
        </button>
      </header>
      <MessageList label="Messages of the thread" latest={messages.at(-1)?.ts ?? ''}>
        {messages[0]?.ts !== threadTs && <p className="start">The first message was deleted.</p>}
        {messages.map(message => (
          <Message
            key={message.ts}
            message={message}
            replies={[]}
            unread={0}
            selected={false}
            onThread={null}
          />
        ))}
        {status && (
          <p className="status" role="status">
            <span className="dots" aria-hidden="true" />
            {snapshot.bot.name} {status.text}
          </p>
        )}
      </MessageList>
      <Composer
        channel={channel}
        threadTs={threadTs}
        placeholder="Reply …"
        focused={props.focused}
        onPosted={() => {}}
      />
    </aside>
  )
}
