import { useRef, useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import { Avatar } from './avatar.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { Mrkdwn } from './blocks/mrkdwn.tsx'
import { StreamTasks } from './blocks/stream-tasks.tsx'
import { clockTime } from './clock-time.ts'
import { EditMessage } from './edit-message.tsx'
import { FileLink } from './file-link.tsx'
import { MessageTools } from './message-tools.tsx'
import { useWorkspace } from './workspace-context.ts'

/** One message with everything that belongs to it. `onThread` is null if one is in its thread already. */
export const Message = (props: {
  readonly message: RecordedMessage
  readonly replies: readonly RecordedMessage[]
  /** How many of the replies this person has not seen. */
  readonly unread: number
  readonly selected: boolean
  readonly onThread: (() => void) | null
}) => {
  const { message, replies, unread } = props
  const { snapshot } = useWorkspace()
  const [editing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const author = [snapshot.bot, ...snapshot.people].find(({ id }) => id === message.author)
  const name = author?.name ?? message.author
  const last = replies.at(-1)

  return (
    <article
      className="message"
      aria-label={`${name}, ${clockTime(message.ts)}`}
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
        {editing ? (
          <EditMessage
            message={message}
            onDone={() => {
              setEditing(false)
              editButton.current?.focus()
            }}
          />
        ) : (
          <Content message={message} />
        )}
        {message.files.map(file => (
          <FileLink key={file.id} file={file} />
        ))}
        {props.onThread && replies.length > 0 && (
          <button type="button" className="replies" onClick={props.onThread}>
            {replies.length} {replies.length === 1 ? 'reply' : 'replies'}{' '}
            {unread > 0 ? (
              <span className="new">{unread} new</span>
            ) : (
              last && <span>last at {clockTime(last.ts)}</span>
            )}
          </button>
        )}
      </div>
      <MessageTools
        message={message}
        editButton={editButton}
        onThread={props.onThread}
        onEdit={() => setEditing(true)}
      />
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
