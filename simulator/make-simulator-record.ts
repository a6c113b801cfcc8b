import type { EventDelivery } from './delivery/make-deliver-event.ts'
import type { SimulatorRecord } from './simulator.ts'
import type { Workspace } from './workspace.ts'

/** What there is to see of a workspace. */
export const makeSimulatorRecord = (workspace: Workspace, events: EventDelivery): SimulatorRecord => {
  const { messages, views, people, changes } = workspace
  const idOf = (by: string): string => people.find(({ handle }) => handle === by)?.id ?? by
  return {
    messages: messages.all,
    thread: messages.thread,
    modal: by => views.top(idOf(by)),
    home: by => views.home(idOf(by)),
    deliveries: workspace.deliveries.all,
    calls: workspace.calls.all,
    problems: workspace.problems.all,
    until: (look, ms = 5_000) =>
      new Promise((resolve, reject) => {
        const end = (finish: () => void): void => {
          unlisten()
          clearTimeout(timer)
          finish()
        }
        const tryOnce = (): void => {
          try {
            const seen = look()
            if (seen !== null && seen !== undefined && seen !== false) end(() => resolve(seen))
          } catch (error) {
            end(() => reject(error))
          }
        }
        const unlisten = changes.listen(tryOnce)
        const timer = setTimeout(
          () => end(() => reject(new Error(`nothing such happened within ${ms} ms`))),
          ms,
        )
        tryOnce()
      }),
    settled: events.settled,
  }
}
