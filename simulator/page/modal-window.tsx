import { useEffect, useState } from 'react'
import type { FormValues, SubmitResult } from '../shapes/interaction.ts'
import type { OpenView } from '../shapes/view.ts'
import { Blocks } from './blocks/blocks.tsx'
import { FormContext } from './blocks/form-context.ts'
import { useDialog } from './use-dialog.ts'
import { useWorkspace } from './workspace-context.ts'

/** The topmost modal. Escape closes it; errors stand at the inputs they are about. */
export const ModalWindow = ({ open }: { readonly open: OpenView }) => {
  const { act, tell } = useWorkspace()
  const [values, setValues] = useState<FormValues>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const box = useDialog('form :is(input, textarea, select)')
  const { title, submit, close, blocks } = open.view

  useEffect(() => {
    if (Object.keys(errors).length > 0)
      box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors, box])

  const send = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    const result = await act<SubmitResult>('submit', { values })
    setBusy(false)
    if (result?.outcome === 'failed') tell(`That was not taken: ${result.problem}.`)
    setErrors(result?.outcome === 'errors' ? result.errors : {})
  }
  const leave = (): void => void act('close', {})

  return (
    <dialog
      className="modal"
      aria-labelledby="modal-title"
      ref={box}
      onCancel={event => {
        // It goes when the simulator says that it is gone.
        event.preventDefault()
        leave()
      }}
    >
      <header className="pane-header">
        <h2 id="modal-title">{title?.text}</h2>
        <button type="button" className="plain" onClick={leave} aria-label="Close window">
          ✕
        </button>
      </header>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (submit) void send()
        }}
      >
        <div className="modal-body">
          <FormContext
            value={{
              values,
              errors,
              change: (blockId, value) => setValues(before => ({ ...before, [blockId]: value })),
            }}
          >
            <Blocks blocks={blocks} on={{ viewId: open.id }} />
          </FormContext>
        </div>
        <footer>
          <button type="button" className="button" onClick={leave}>
            {close?.text ?? 'Close'}
          </button>
          {submit && (
            <button type="submit" className="button button-primary" aria-disabled={busy}>
              {submit.text}
            </button>
          )}
        </footer>
      </form>
    </dialog>
  )
}
