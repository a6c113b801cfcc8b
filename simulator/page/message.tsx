import type { RecordedMessage } from '../shapes/message.ts'
import { Avatar } from './avatar.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { Mrkdwn } from './blocks/mrkdwn.tsx'
import { StreamTasks } from './blocks/stream-tasks.tsx'
import { clockTime } from './clock-time.ts'
import { FileLink } from './file-link.tsx'
import { OwnMessage } from './own-message.tsx'
import { useWorkspace } from './workspace-context.ts'

/** One message with everything that belongs to it. `onThread` is null where one is in its thread already. */
export const Message = (props: {
  readonly message: RecordedMessage
  readonly replies: readonly RecordedMessage[]
  readonly selected: boolean
  readonly onThread: (() => void) | null
}) => {
  const { message, replies } = props
  const { snapshot } = useWorkspace()
  const author = [snapshot.bot, ...snapshot.people].find(({ id }) => id === message.author)
  const name = author?.name ?? message.author
  const last = replies.at(-1)

  return (
    <article
      className="message"
      data-selected={props.selected}
      data-private={message.onlyFor !== null}
      data-ts={message.ts}
    >
      <Avatar name={name} bot={message.byBot} />
      <div className="message-body">
        {message.onlyFor !== null && <p className="private">Only visible to you</p>}
        <div className="message-head">
          <b>{name}</b>
          {message.byBot && <span className="tag">App</span>}
          <time dateTime={new Date(Number(message.ts) * 1_000).toISOString()}>{clockTime(message.ts)}</time>
        </div>
        <Content message={message} />
        {message.author === snapshot.me && <OwnMessage message={message} />}
        {message.files.map(file => (
          <FileLink key={file.id} file={file} />
        ))}
        {props.onThread && replies.length > 0 && (
          <button type="button" className="replies" onClick={props.onThread}>
            {replies.length} {replies.length === 1 ? 'reply' : 'replies'}
            {last && <span>last at {clockTime(last.ts)}</span>}
          </button>
        )}
        {props.onThread && replies.length === 0 && message.onlyFor === null && (
          <button type="button" className="reply-here" onClick={props.onThread}>
            Reply in thread
          </button>
        )}
      </div>
    </article>
  )
}

/** Blocks take the place of the text; a stream shows its tasks and text first. */
const Content = ({ message }: { readonly message: RecordedMessage }) => {
  const { text, blocks, stream, edited, byBot } = message
  const mark = edited && !byBot ? <span className="edited"> (edited)</span> : null
  if (stream) {
    return (
      <>
        <StreamTasks stream={stream} />
        {stream.markdown !== '' && (
          <Blocks blocks={[{ type: 'markdown', text: stream.markdown }]} on={null} />
        )}
        <Blocks blocks={blocks} on={{ channel: message.channel, ts: message.ts }} />
        {stream.state === 'expired' && <p className="private">This stream has expired.</p>}
      </>
    )
  }
  if (blocks.length > 0) return <Blocks blocks={blocks} on={{ channel: message.channel, ts: message.ts }} />
  return text === '' ? null : (
    <div className="text">
      <Mrkdwn text={text} />
      {mark}
    </div>
  )
}
