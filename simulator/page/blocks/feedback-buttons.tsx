import { useState } from 'react'
import { useWorkspace } from '../workspace-context.ts'
import { useClick } from './use-click.ts'

interface Side {
  readonly text: { readonly text: string }
  readonly accessibility_label?: string | undefined
}

/** Thumbs up and down, as the last line of an answer. The page remembers which one each person pressed last. */
export const FeedbackButtons = (props: {
  readonly element: {
    readonly action_id: string
    readonly positive_button: Side
    readonly negative_button: Side
  }
}) => {
  const { element } = props
  const { busy, click } = useClick(element.action_id)
  const { me } = useWorkspace().snapshot
  const [pressed, setPressed] = useState<Readonly<Record<string, string>>>({})
  const side = (name: 'positive' | 'negative', { text, accessibility_label }: Side) => (
    <button
      type="button"
      className="feedback"
      aria-disabled={busy}
      aria-pressed={pressed[me] === name}
      aria-label={accessibility_label ?? text.text}
      onClick={() => {
        if (busy) return
        setPressed(before => ({ ...before, [me]: name }))
        void click(name)
      }}
    >
      <Thumb down={name === 'negative'} />
      {text.text}
    </button>
  )
  return (
    <>
      {side('positive', element.positive_button)}
      {side('negative', element.negative_button)}
    </>
  )
}

const Thumb = ({ down }: { readonly down: boolean }) => (
  <svg
    className={down ? 'thumb thumb-down' : 'thumb'}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M3 11h4v9H3zM7 11l4-8c1.7 0 2.8 1.3 2.5 3L13 9h6a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 17.8 20H7" />
  </svg>
)
