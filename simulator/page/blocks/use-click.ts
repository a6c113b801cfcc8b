import { createContext, useContext, useState } from 'react'
import type { Click, InteractionResult } from '../../shapes/interaction.ts'
import { explainResult } from '../explain-result.ts'
import { useWorkspace } from '../workspace-context.ts'

/** The message or view whose blocks are shown; null if nothing can be clicked. */
export const ClickTarget = createContext<Click['on'] | null>(null)

/** A click on an element with this action id, and whether one is on its way. */
export const useClick = (
  actionId: string,
): { readonly busy: boolean; click(choice?: string | readonly string[]): Promise<void> } => {
  const { snapshot, act, tell } = useWorkspace()
  const on = useContext(ClickTarget)
  const [busy, setBusy] = useState(false)
  return {
    busy,
    click: async choice => {
      if (!on) return
      setBusy(true)
      const result = await act<InteractionResult>('click', { on, actionId, choice })
      setBusy(false)
      if (result && result.outcome !== 'acknowledged') tell(explainResult(snapshot.bot.name, result))
    },
  }
}
