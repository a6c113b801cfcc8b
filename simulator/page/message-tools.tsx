import { type RefObject, useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import { AskFirst } from './ask-first.tsx'
import { useWorkspace } from './workspace-context.ts'

/** What one can do with a message: answer in its thread; of one's own, change its words, or take it away. */
export const MessageTools = (props: {
  readonly message: RecordedMessage
  readonly editButton: RefObject<HTMLButtonElement | null>
  /** Null if one is in the thread already. */
  readonly onThread: (() => void) | null
  onEdit(): void
}) => {
  const { message, onThread } = props
  const { snapshot, act } = useWorkspace()
  const [asking, setAsking] = useState(false)
  const own = message.author === snapshot.me
  const answerable = onThread !== null && message.onlyFor === null
  if (!own && !answerable) return null

  return (
    <div className="tools" role="toolbar" aria-label="Message">
      {answerable && (
        <button type="button" onClick={onThread} aria-label="Reply in thread">
          Reply
        </button>
      )}
      {own && (
        <>
          <button ref={props.editButton} type="button" onClick={props.onEdit} aria-label="Edit message">
            Edit
          </button>
          <button type="button" onClick={() => setAsking(true)} aria-label="Delete message">
            Delete
          </button>
        </>
      )}
      {asking && (
        <AskFirst
          title="Delete message"
          text="It goes for everybody, and the bot is told."
          yes="Delete"
          no="Keep it"
          danger={true}
          onAnswer={yes => {
            setAsking(false)
            if (yes) void act('remove', { channel: message.channel, ts: message.ts })
          }}
        />
      )}
    </div>
  )
}
