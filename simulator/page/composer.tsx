import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { InteractionResult } from '../shapes/interaction.ts'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Channel } from '../shapes/people.ts'
import { explainResult } from './explain-result.ts'
import { useWorkspace } from './workspace-context.ts'

/** Where one writes. Enter sends, Shift+Enter begins a new line; a slash at the start is a command. */
export const Composer = (props: {
  readonly channel: Channel
  readonly threadTs: string | null
  readonly placeholder: string
  /** Whether one can write at once, without going there first. */
  readonly focused: boolean
  onPosted(message: RecordedMessage): void
}) => {
  const { snapshot, act, tell } = useWorkspace()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const mention = `@${snapshot.bot.handle} `
  const { focused } = props

  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])

  const send = async (): Promise<void> => {
    const said = text.trim()
    if (said === '') return
    setText('')
    if (said.startsWith('/')) {
      const result = await act<InteractionResult>('command', { in: props.channel.id, text: said })
      if (result && result.outcome !== 'acknowledged') tell(explainResult(snapshot.bot.name, result))
      return
    }
    const thread = props.threadTs === null ? {} : { thread: props.threadTs }
    const posted = await act<RecordedMessage>('post', { in: props.channel.id, text: said, ...thread })
    if (posted) props.onPosted(posted)
    else setText(said)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }

  return (
    <form
      className="composer"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        value={text}
        rows={Math.min(6, text.split('\n').length)}
        placeholder={props.placeholder}
        aria-label={props.placeholder}
        onChange={event => setText(event.target.value)}
        onKeyDown={press}
      />
      {text.startsWith('/') && !text.includes(' ') && (
        <div className="commands" role="status">
          {snapshot.commands.length === 0
            ? `${snapshot.bot.name} has no commands.`
            : snapshot.commands.map(command => (
                <button
                  key={command}
                  type="button"
                  className="plain"
                  onClick={() => {
                    setText(`${command} `)
                    field.current?.focus()
                  }}
                >
                  {command}
                </button>
              ))}
        </div>
      )}
      <div className="composer-row">
        {props.channel.kind === 'channel' && (
          <button
            type="button"
            className="plain mention-button"
            onClick={() => {
              setText(before => (before.startsWith(mention) ? before : mention + before))
              field.current?.focus()
            }}
          >
            {mention.trim()}
          </button>
        )}
        <button
          type="submit"
          className="send"
          disabled={text.trim() === ''}
          aria-label={props.threadTs === null ? 'Send' : 'Send reply'}
        >
          Send
        </button>
      </div>
    </form>
  )
}
