import { useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import { useWorkspace } from './workspace-context.ts'

/** What one may do with a message of one's own: change its words, or take it away. */
export const OwnMessage = ({ message }: { readonly message: RecordedMessage }) => {
  const { snapshot, act } = useWorkspace()
  const [text, setText] = useState<string | null>(null)
  const { channel, ts } = message

  if (text === null) {
    return (
      <span className="own-message">
        <button
          type="button"
          className="plain"
          onClick={() => setText(asTyped(message.text, [snapshot.bot, ...snapshot.people]))}
        >
          Edit
        </button>
        <button type="button" className="plain" onClick={() => void act('remove', { channel, ts })}>
          Delete
        </button>
      </span>
    )
  }
  return (
    <form
      className="own-message-edit"
      onSubmit={event => {
        event.preventDefault()
        if (text.trim() === '') return
        void act('edit', { channel, ts, text: text.trim() }).then(done => {
          if (done !== null) setText(null)
        })
      }}
    >
      <input
        value={text}
        aria-label="Edit message"
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') setText(null)
        }}
      />
      <button type="submit">Save</button>
      <button type="button" className="plain" onClick={() => setText(null)}>
        Cancel
      </button>
    </form>
  )
}

/** Mentions as one types them. */
const asTyped = (text: string, people: readonly { readonly id: string; readonly handle: string }[]): string =>
  people.reduce((typed, { id, handle }) => typed.replaceAll(`<@${id}>`, `@${handle}`), text)
