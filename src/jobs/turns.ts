import { setTimeout as sleep } from 'node:timers/promises'

/** Who waits for a job. People in a thread go first, then what is due at a time, then upkeep that nobody waits for. */
export type JobPriority = 'people' | 'schedule' | 'upkeep'

const priorities: Record<JobPriority, number> = { people: 2, schedule: 1, upkeep: 0 }

/** Longer than this no job stands back: what is late every day would otherwise never be done. */
const MAX_WAIT_MS = 60_000

/** Lets jobs that people wait for go first in one process, which has one processor for all of its queues. */
export interface PriorityGate {
  /** Tells how many jobs of a queue this process works on at a time. */
  declare(queue: string, rank: JobPriority, slots: number): void
  /**
   * Waits while some queue of a higher rank has all of its slots at work, and takes a place of its own; the result gives
   * it back. Rejects when the signal fires.
   */
  take(queue: string, signal: AbortSignal): Promise<() => void>
}

/** Makes the turns of one process. */
export const makePriorityGate = (patienceMs: number = MAX_WAIT_MS): PriorityGate => {
  const queues = new Map<string, { readonly rank: JobPriority; slots: number; running: number }>()
  let changed = Promise.withResolvers<void>()

  const mustWait = (rank: JobPriority): boolean =>
    [...queues.values()].some(
      other => priorities[other.rank] > priorities[rank] && other.slots > 0 && other.running >= other.slots,
    )

  return {
    declare: (queue, rank, slots) => {
      const known = queues.get(queue)
      if (known) known.slots += slots
      else queues.set(queue, { rank, slots, running: 0 })
    },
    take: async (queue, signal) => {
      const own = queues.get(queue)
      if (!own) throw new Error(`the queue ${queue} was not declared`)
      const waited = new AbortController()
      try {
        const patience = sleep(patienceMs, 'over' as const, {
          signal: AbortSignal.any([signal, waited.signal]),
          ref: false,
        })
        patience.catch(() => {})
        while (mustWait(own.rank)) {
          if ((await Promise.race([changed.promise, patience])) === 'over') break
        }
      } finally {
        waited.abort()
      }
      signal.throwIfAborted()
      own.running++
      return () => {
        own.running--
        changed.resolve()
        changed = Promise.withResolvers()
      }
    },
  }
}
