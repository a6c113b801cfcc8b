import { useState } from 'react'
import { useClick } from './use-click.ts'

interface Side {
  readonly text: { readonly text: string }
  readonly accessibility_label?: string | undefined
}

/** Thumbs up and down, as the last line of an answer. The page remembers which one was pressed last. */
export const FeedbackButtons = (props: {
  readonly element: {
    readonly action_id: string
    readonly positive_button: Side
    readonly negative_button: Side
  }
}) => {
  const { element } = props
  const { busy, click } = useClick(element.action_id)
  const [pressed, setPressed] = useState<string | null>(null)
  const side = (name: 'positive' | 'negative', { text, accessibility_label }: Side, sign: string) => (
    <button
      type="button"
      className="feedback"
      disabled={busy}
      aria-pressed={pressed === name}
      aria-label={accessibility_label ?? text.text}
      onClick={() => {
        setPressed(name)
        void click(name)
      }}
    >
      <span aria-hidden="true">{sign}</span> {text.text}
    </button>
  )
  return (
    <>
      {side('positive', element.positive_button, '👍')}
      {side('negative', element.negative_button, '👎')}
    </>
  )
}
