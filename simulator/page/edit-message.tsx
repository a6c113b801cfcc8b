import { useEffect, useRef, useState } from 'react'
import type { RecordedMessage } from '../shapes/message.ts'
import { useWorkspace } from './workspace-context.ts'

/** The words of one's own message, to be changed. Enter saves, Escape leaves them as they were. */
export const EditMessage = (props: { readonly message: RecordedMessage; onDone(): void }) => {
  const { message, onDone } = props
  const { snapshot, act } = useWorkspace()
  const before = asTyped(message.text, [snapshot.bot, ...snapshot.people])
  const [text, setText] = useState(before)
  const field = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(before.length, before.length)
  }, [before.length])

  const save = async (): Promise<void> => {
    const said = text.trim()
    if (said === '') return
    const { channel, ts } = message
    if (said === before || (await act('edit', { channel, ts, text: said })) !== null) onDone()
  }

  return (
    <form
      className="editing"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    >
      <textarea
        ref={field}
        value={text}
        rows={Math.min(6, text.split('\n').length)}
        aria-label="Edit message"
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          void save()
        }}
      />
      <div>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={text.trim() === ''}>
          Save
        </button>
      </div>
    </form>
  )
}

/** Mentions as one types them. */
const asTyped = (text: string, people: readonly { readonly id: string; readonly handle: string }[]): string =>
  people.reduce((typed, { id, handle }) => typed.replaceAll(`<@${id}>`, `@${handle}`), text)
