import { SqlError } from '../../../core/sql-error.ts'
import { makeSlots } from '../slots.ts'
import type { Child } from './fork-child.ts'

/** An idle child holds about 70 MB; it goes when nobody has asked anything for this long. */
const idleMilliseconds = 60_000

export interface ChildPool {
  /** Runs `work` with a child of its own. Rejects with `SqlError('cancelled')` if aborted while waiting for one. */
  readonly use: <T>(work: (child: Child) => Promise<T>, signal?: AbortSignal) => Promise<T>
  /** Kills every child, working ones included, and resolves when they are gone. */
  readonly close: () => Promise<void>
}

/** At most `size` children of one kind, forked when they are first needed and replaced when they had to be killed. */
export const makeChildPool = ({
  fork,
  size,
}: {
  readonly fork: () => Promise<Child>
  readonly size: number
}): ChildPool => {
  const slots = makeSlots(size)
  const all = new Set<Child>()
  const idle: { child: Child; timer: NodeJS.Timeout }[] = []
  let closed = false

  const dropIdle = (child: Child): void => {
    const index = idle.findIndex(entry => entry.child === child)
    if (index >= 0) idle.splice(index, 1)
    all.delete(child)
    void child.kill()
  }

  const take = async (): Promise<Child> => {
    for (let entry = idle.pop(); entry !== undefined; entry = idle.pop()) {
      clearTimeout(entry.timer)
      if (entry.child.isAlive()) return entry.child
      all.delete(entry.child)
    }
    const child = await fork()
    all.add(child)
    if (closed) await child.kill()
    return child
  }

  const giveBack = (child: Child): void => {
    if (closed || !child.isAlive()) {
      all.delete(child)
      return
    }
    const timer = setTimeout(() => dropIdle(child), idleMilliseconds)
    timer.unref()
    idle.push({ child, timer })
  }

  return {
    use: async (work, signal) => {
      const release = await slots.acquire(signal)
      try {
        if (closed) throw new SqlError('connection', 'The database has been closed.')
        const child = await take()
        try {
          return await work(child)
        } catch (error) {
          if (closed) throw new SqlError('connection', 'The database was closed while the statement ran.')
          throw error
        } finally {
          giveBack(child)
        }
      } finally {
        release()
      }
    },
    close: async () => {
      closed = true
      for (const entry of idle.splice(0)) clearTimeout(entry.timer)
      await Promise.all([...all].map(child => child.kill()))
      all.clear()
    },
  }
}
