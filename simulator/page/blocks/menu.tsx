import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

/** A choice of a menu, as Slack sends it. */
export interface MenuOption {
  readonly text: { readonly text: string }
  readonly value: string
}

/** Between a button and its menu, and between the menu and the edge of the window. */
const GAP = 4

/**
 * A button with a menu that acts on a choice. The menu lies over everything, so that no list cuts it off; arrows, Home
 * and End move in it, Escape and a click elsewhere close it, and the focus returns to the button.
 */
export const Menu = (props: {
  readonly label: string
  readonly prompt: string
  readonly options: readonly MenuOption[]
  readonly busy: boolean
  readonly isSelect: boolean
  onChoose(value: string): void
}) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    if (!open) return
    // What scrolls under the menu would leave it behind; what scrolls inside of it does not.
    const close = (event: Event): void => {
      if (event.target !== menu.current) menu.current?.hidePopover()
    }
    addEventListener('scroll', close, true)
    addEventListener('resize', close)
    return () => {
      removeEventListener('scroll', close, true)
      removeEventListener('resize', close)
    }
  }, [open])

  const show = (): void => {
    const box = menu.current
    const at = button.current?.getBoundingClientRect()
    if (props.busy || !box || !at) return
    box.showPopover()
    const { offsetWidth, offsetHeight } = box
    const below = at.bottom + GAP
    const fits = below + offsetHeight + GAP <= innerHeight
    box.style.top = `${fits ? below : Math.max(GAP, at.top - offsetHeight - GAP)}px`
    box.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - offsetWidth - GAP))}px`
    box.querySelector('button')?.focus()
  }
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === 'Escape') event.stopPropagation()
    if (event.key === 'Tab') menu.current?.hidePopover()
    const items = [...event.currentTarget.querySelectorAll('button')]
    const at = items.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    items[(to + items.length) % items.length]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={props.isSelect ? 'button button-select' : 'button'}
        aria-label={props.label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        aria-disabled={props.busy}
        onClick={show}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          show()
        }}
      >
        {props.prompt}
      </button>
      <div
        ref={menu}
        id={id}
        className="menu"
        role="menu"
        tabIndex={-1}
        aria-label={props.label}
        popover="auto"
        onToggle={event => setOpen(event.newState === 'open')}
        onKeyDown={press}
      >
        {props.options.map(option => (
          <button
            key={option.value}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              menu.current?.hidePopover()
              button.current?.focus()
              props.onChoose(option.value)
            }}
          >
            {option.text.text}
          </button>
        ))}
      </div>
    </>
  )
}
