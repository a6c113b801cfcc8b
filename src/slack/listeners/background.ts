import type { Log } from '../../core/log.ts'

/** Work that goes on after Slack was answered, because it may take longer than the three seconds Slack waits. */
export interface Background {
  /** Starts work. A failure is logged: the person can click again. */
  run(what: string, work: () => Promise<unknown>): void
  /** Resolves when all that was started has ended. */
  settled(): Promise<void>
}

export const makeBackground = (log: Log): Background => {
  const running = new Set<Promise<unknown>>()
  return {
    run: (what, work) => {
      const done = work()
        .catch((error: unknown) => log.warn({ error }, `${what} failed`))
        .finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      await Promise.allSettled([...running])
    },
  }
}
