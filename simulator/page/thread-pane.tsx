import type { Channel } from '../shapes/people.ts'
import { Composer } from './composer.tsx'
import { Message } from './message.tsx'
import { MessageList } from './message-list.tsx'
import { useWorkspace } from './workspace-context.ts'

/** One thread: its first message, the replies, what the bot is doing, and where to answer. */
export const ThreadPane = (props: {
  readonly channel: Channel
  readonly threadTs: string
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
  return (
    <aside className="pane thread-pane" aria-label="Thread">
      <header className="pane-header">
        <h2>Thread</h2>
        <span className="where">{channel.kind === 'direct' ? channel.name : `#${channel.name}`}</span>
        <button type="button" className="plain" onClick={props.onClose} aria-label="Close thread">
          ✕
        </button>
      </header>
      <MessageList latest={messages.at(-1)?.ts ?? ''}>
        {messages.map(message => (
          <Message key={message.ts} message={message} replies={[]} selected={false} onThread={null} />
        ))}
        {status && (
          <p className="status" role="status">
            <span className="dots" aria-hidden="true" />
            {snapshot.bot.name} {status.text}
          </p>
        )}
      </MessageList>
      <Composer channel={channel} threadTs={threadTs} placeholder="Reply …" onPosted={() => {}} />
    </aside>
  )
}
