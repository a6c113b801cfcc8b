import { useClick } from './use-click.ts'

interface Option {
  readonly text: { readonly text: string }
  readonly value: string
}

/** What stands in a row of actions or beside a section. */
export type ActionElementFields =
  | {
      readonly type: 'button'
      readonly action_id: string
      readonly text: { readonly text: string }
      readonly style?: string | undefined
      readonly url?: string | undefined
      readonly accessibility_label?: string | undefined
      readonly confirm?:
        | { readonly title: { readonly text: string }; readonly text: { readonly text: string } }
        | undefined
    }
  | { readonly type: 'overflow'; readonly action_id: string; readonly options: readonly Option[] }
  | {
      readonly type: 'static_select'
      readonly action_id: string
      readonly placeholder?: { readonly text: string } | undefined
      readonly options: readonly Option[]
      readonly initial_option?: Option | undefined
    }

/** A button, an overflow menu or a select; using it tells the bot. */
export const ActionElement = ({ element }: { readonly element: ActionElementFields }) => {
  const { busy, click } = useClick(element.action_id)
  switch (element.type) {
    case 'button':
      return (
        <button
          type="button"
          className={`button ${element.style ? `button-${element.style}` : ''}`}
          disabled={busy}
          aria-label={element.accessibility_label}
          onClick={() => {
            const { confirm, url } = element
            if (confirm && !window.confirm(`${confirm.title.text}\n\n${confirm.text.text}`)) return
            if (url) window.open(url, '_blank', 'noreferrer')
            void click()
          }}
        >
          {element.text.text}
        </button>
      )
    case 'overflow':
      return (
        <Menu
          label="More actions"
          prompt="⋯"
          narrow
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

/** A menu that acts on every choice and shows its prompt again. */
const Menu = (props: {
  readonly label: string
  readonly prompt: string
  readonly options: readonly Option[]
  readonly busy: boolean
  readonly narrow?: boolean
  onChoose(value: string): void
}) => (
  <select
    className={props.narrow ? 'button button-menu' : 'button'}
    aria-label={props.label}
    value=""
    disabled={props.busy}
    onChange={event => props.onChoose(event.target.value)}
  >
    <option value="" disabled hidden>
      {props.prompt}
    </option>
    {props.options.map(option => (
      <option key={option.value} value={option.value}>
        {option.text.text}
      </option>
    ))}
  </select>
)
