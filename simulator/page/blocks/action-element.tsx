import { useState } from 'react'
import { AskFirst } from '../ask-first.tsx'
import { Menu, type MenuOption } from './menu.tsx'
import { useClick } from './use-click.ts'

interface Words {
  readonly text: string
}

interface Button {
  readonly type: 'button'
  readonly action_id: string
  readonly text: Words
  readonly style?: string | undefined
  readonly url?: string | undefined
  readonly accessibility_label?: string | undefined
  readonly confirm?:
    | {
        readonly title: Words
        readonly text: Words
        readonly confirm: Words
        readonly deny: Words
        readonly style?: string | undefined
      }
    | undefined
}

/** What stands in a row of actions or beside a section. */
type ActionElementFields =
  | Button
  | { readonly type: 'overflow'; readonly action_id: string; readonly options: readonly MenuOption[] }
  | {
      readonly type: 'static_select'
      readonly action_id: string
      readonly placeholder?: Words | undefined
      readonly options: readonly MenuOption[]
      readonly initial_option?: MenuOption | undefined
    }

/** A button, an overflow menu or a select; using it tells the bot. */
export const ActionElement = ({ element }: { readonly element: ActionElementFields }) => {
  const { busy, click } = useClick(element.action_id)
  switch (element.type) {
    case 'button':
      return <ActionButton element={element} busy={busy} onClick={() => void click()} />
    case 'overflow':
      return (
        <Menu
          label="More actions"
          prompt="⋯"
          isSelect={false}
          options={element.options}
          busy={busy}
          onChoose={choice => void click(choice)}
        />
      )
    case 'static_select':
      return (
        <Menu
          label={element.placeholder?.text ?? 'Choose'}
          prompt={element.initial_option?.text.text ?? element.placeholder?.text ?? 'Choose …'}
          isSelect={true}
          options={element.options}
          busy={busy}
          onChoose={choice => void click(choice)}
        />
      )
    default: {
      const never: never = element
      return never
    }
  }
}

const ActionButton = (props: { readonly element: Button; readonly busy: boolean; onClick(): void }) => {
  const { text, style, url, confirm, accessibility_label } = props.element
  const [asking, setAsking] = useState(false)
  const act = (): void => {
    if (url) window.open(url, '_blank', 'noreferrer')
    props.onClick()
  }
  return (
    <>
      <button
        type="button"
        className={`button ${style ? `button-${style}` : ''}`}
        // Not `disabled`, which would take the focus away from a person who uses the keyboard.
        aria-disabled={props.busy}
        aria-label={accessibility_label}
        onClick={() => {
          if (props.busy) return
          if (confirm) setAsking(true)
          else act()
        }}
      >
        {text.text}
      </button>
      {asking && confirm && (
        <AskFirst
          title={confirm.title.text}
          text={confirm.text.text}
          yes={confirm.confirm.text}
          no={confirm.deny.text}
          danger={confirm.style === 'danger'}
          onAnswer={yes => {
            setAsking(false)
            if (yes) act()
          }}
        />
      )}
    </>
  )
}
