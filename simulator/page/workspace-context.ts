import { createContext, useContext } from 'react'
import type { Snapshot } from '../shapes/snapshot.ts'

/** What every part of the page may need: the workspace as this person sees it, and a way to act. */
export interface WorkspaceOnPage {
  readonly snapshot: Snapshot
  /** Does something in this person's name; what goes wrong is told in a line at the bottom. Null then. */
  act<Answer>(action: string, body: Readonly<Record<string, unknown>>): Promise<Answer | null>
  tell(problem: string): void
  /** Shows a channel, and a thread of it. */
  goTo(channel: string, thread: string | null): void
}

export const WorkspaceContext = createContext<WorkspaceOnPage | null>(null)

export const useWorkspace = (): WorkspaceOnPage => {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('this part of the page stands outside of the workspace')
  return workspace
}
