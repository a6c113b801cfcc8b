import type { Timers } from '../make-timers.ts'
import type { ThreadStatus } from '../shapes/snapshot.ts'

/** Which threads show that the bot is at work. */
export interface Statuses {
  /** An empty text takes the status away. */
  set(status: ThreadStatus): void
  /** A message of the bot ends the status of its thread, as in Slack. */
  clear(channel: string, threadTs: string): void
  all(): readonly ThreadStatus[]
}

/** Makes the store of statuses; each goes by itself after `lasts` milliseconds. */
export const makeStatuses = (options: {
  readonly timers: Timers
  readonly lasts: number
  readonly changed: () => void
}): Statuses => {
  const statuses = new Map<string, ThreadStatus>()
  const remove = (key: string): void => {
    if (statuses.delete(key)) options.changed()
  }
  return {
    set: status => {
      const key = `${status.channel}:${status.threadTs}`
      if (status.text === '') {
        remove(key)
        return
      }
      statuses.set(key, status)
      options.changed()
      options.timers.later(options.lasts, () => {
        if (statuses.get(key) === status) remove(key)
      })
    },
    clear: (channel, threadTs) => remove(`${channel}:${threadTs}`),
    all: () => [...statuses.values()],
  }
}
