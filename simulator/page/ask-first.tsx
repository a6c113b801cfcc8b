import { useId } from 'react'
import { useDialog } from './use-dialog.ts'

/** Asks for confirmation before something is done. Escape means no. */
export const AskFirst = (props: {
  readonly title: string
  readonly text: string
  readonly yes: string
  readonly no: string
  readonly danger: boolean
  onAnswer(yes: boolean): void
}) => {
  const id = useId()
  const box = useDialog('footer button')
  return (
    <dialog
      className="modal ask-first"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      ref={box}
      onCancel={event => {
        event.preventDefault()
        props.onAnswer(false)
      }}
    >
      <header className="pane-header">
        <h2 id={`${id}-title`}>{props.title}</h2>
      </header>
      <p id={`${id}-text`}>{props.text}</p>
      <footer>
        <button type="button" className="button" onClick={() => props.onAnswer(false)}>
          {props.no}
        </button>
        <button
          type="button"
          className={`button ${props.danger ? 'button-solid-danger' : 'button-primary'}`}
          onClick={() => props.onAnswer(true)}
        >
          {props.yes}
        </button>
      </footer>
    </dialog>
  )
}
