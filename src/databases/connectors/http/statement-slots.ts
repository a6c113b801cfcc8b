import { setTimeout as delay } from 'node:timers/promises'
import {
  cancelGraceMs,
  cancelledError,
  closedError,
  Interrupted,
  interruptible,
  onAbort,
  serverTimeout,
} from '../read-only-transaction.ts'
import { makeSemaphore } from '../semaphore.ts'

/** The statements that run at once on a server that keeps no connection for each. */
export interface StatementSlots {
  /**
   * Waits for a slot and works in it. `work` gets a signal that fires when the statement is canceled, runs too long or
   * the connector closes; `stop` then ends it in the server. Rejects with `SqlError`: `cancelled`, `timeout` or
   * `connection`, or with what `work` rejects with.
   */
  readonly run: <T>(
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
    stop: () => Promise<void>,
  ) => Promise<T>
  /** Ends what runs and lets nothing begin. Resolves when all has ended. */
  readonly close: () => Promise<void>
}

export const makeStatementSlots = (size: number): StatementSlots => {
  const slots = makeSemaphore(size)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const runInSlot: StatementSlots['run'] = async ({ timeoutMs, signal }, work, stop) => {
    const release = await slots.acquire(signal)
    const stopping = new AbortController()
    try {
      if (closing.signal.aborted) throw closedError()
      return await interruptible(
        () => work(stopping.signal),
        [onAbort(signal, cancelledError), onAbort(closing.signal, closedError), serverTimeout(timeoutMs)],
        async (_, ended) => {
          await Promise.race([stop().catch(() => {}), delay(cancelGraceMs, null, { ref: false })])
          stopping.abort()
          await Promise.race([ended, delay(cancelGraceMs, null, { ref: false })])
        },
      )
    } catch (error) {
      throw error instanceof Interrupted ? error.reason : error
    } finally {
      release()
    }
  }

  return {
    run: (options, work, stop) => {
      const ending = runInSlot(options, work, stop)
      const counted = ending.catch(() => {}).finally(() => running.delete(counted))
      running.add(counted)
      return ending
    },
    close: async () => {
      closing.abort()
      await Promise.all(running)
    },
  }
}
