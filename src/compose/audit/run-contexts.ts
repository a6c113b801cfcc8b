import { AsyncLocalStorage } from 'node:async_hooks'
import type { InRunContext, RunContext } from '../../core/run-context.ts'

/** Contexts of work, and the one that the code is in right now: null outside of all. */
export interface RunContexts {
  readonly inRunContext: InRunContext
  readonly currentContext: () => RunContext | null
}

/** Makes them. A context follows every await and timer that begins within the work; an inner one hides the outer. */
export const makeRunContexts = (): RunContexts => {
  const storage = new AsyncLocalStorage<RunContext>()
  return {
    inRunContext: (context, work) => storage.run(context, work),
    currentContext: () => storage.getStore() ?? null,
  }
}
