import { type RefObject, useEffect, useRef } from 'react'

/** Where one goes on when what opened the dialog is gone. */
const elsewhere = '.thread-pane .composer textarea, .channel-pane .composer textarea'

/** Shows a dialog over everything while its component is there; afterwards the focus is where it was before. */
export const useDialog = (firstFocus: string): RefObject<HTMLDialogElement | null> => {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    box.current?.showModal()
    box.current?.querySelector<HTMLElement>(firstFocus)?.focus()
    return () => {
      const there = before instanceof HTMLElement && before.isConnected && before !== document.body
      const back = there ? before : document.querySelector<HTMLElement>(elsewhere)
      back?.focus()
    }
  }, [firstFocus])
  return box
}
