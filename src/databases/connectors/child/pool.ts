import { setTimeout as wait } from 'node:timers/promises'
import type { Catalog } from '../../../domain/catalog.ts'
import type { RunOptions } from '../../../domain/database.ts'
import { QuerentError, SqlError } from '../../../domain/errors.ts'
import type { Cell, ResultTable } from '../../../domain/result.ts'
import { makeSemaphore, type Semaphore } from '../semaphore.ts'
import type { Child, ChildReply } from './fork.ts'

/** An idle child holds about 70 MB. It is ended after this long without a request. */
const idleMilliseconds = 60_000

/** How long a statement waits for a child that is starting before it starts another. */
const graceMilliseconds = 50

export interface ChildPool {
  /**
   * Runs `work` with a child that no other work has. Rejects with `SqlError('cancelled')` if aborted while
   * waiting for one.
   */
  readonly use: <T>(work: (child: Child) => Promise<T>, signal?: AbortSignal) => Promise<T>
  /** Ends every child as soon as it is idle. Running work goes on; there must be no new work. */
  readonly retire: () => Promise<void>
  /** Whether none of its children is in use or waited for. */
  readonly isUnused: () => boolean
  /** Kills every child, busy ones too, and resolves when they are gone. */
  readonly close: () => Promise<void>
}

/**
 * At most `size` children of one kind, forked when they are first needed and replaced if they had to be killed.
 * Pools that follow one another share their `slots`, so that there are no more children in all.
 */
export const makeChildPool = ({
  fork,
  size,
  slots = makeSemaphore(size),
}: {
  readonly fork: (signal: AbortSignal) => Promise<Child>
  readonly size: number
  readonly slots?: Semaphore
}): ChildPool => {
  const all = new Set<Child>()
  const idle: { child: Child; timer: NodeJS.Timeout }[] = []
  const forking = new Set<Promise<unknown>>()
  const waiting = new Set<() => void>()
  const closing = new AbortController()
  let retired = false
  let users = 0

  const dropIdle = (child: Child): void => {
    const index = idle.findIndex(entry => entry.child === child)
    if (index >= 0) idle.splice(index, 1)
    all.delete(child)
    void child.kill()
  }

  const forkOne = async (signal: AbortSignal | undefined): Promise<Child> => {
    const forked = fork(signal ? AbortSignal.any([signal, closing.signal]) : closing.signal)
    const settled = forked.then(
      () => {},
      () => {},
    )
    forking.add(settled)
    try {
      const child = await forked
      all.add(child)
      return child
    } finally {
      forking.delete(settled)
    }
  }

  const takeIdle = (): Child | null => {
    for (let entry = idle.pop(); entry !== undefined; entry = idle.pop()) {
      clearTimeout(entry.timer)
      if (entry.child.isAlive()) return entry.child
      all.delete(entry.child)
    }
    return null
  }

  /** Resolves when a child becomes idle, or soon after those that are starting are ready. */
  const nextFree = async (): Promise<void> => {
    const given = Promise.withResolvers<void>()
    waiting.add(given.resolve)
    await Promise.race([given.promise, Promise.all(forking).then(() => wait(graceMilliseconds))])
    waiting.delete(given.resolve)
  }

  // A child takes a few hundred milliseconds to start and most statements a few: while one starts, others wait for it.
  const take = async (signal: AbortSignal | undefined): Promise<Child> => {
    const child = takeIdle()
    if (child !== null || forking.size === 0) return child ?? forkOne(signal)
    await nextFree()
    return takeIdle() ?? forkOne(signal)
  }

  const giveBack = (child: Child): void => {
    if (!child.isAlive()) {
      all.delete(child)
      return
    }
    if (retired) {
      dropIdle(child)
      return
    }
    const timer = setTimeout(() => dropIdle(child), idleMilliseconds)
    timer.unref()
    idle.push({ child, timer })
    for (const wake of waiting) wake()
  }

  const withChild: ChildPool['use'] = async (work, signal) => {
    const release = await slots.acquire(signal)
    try {
      closing.signal.throwIfAborted()
      const child = await take(signal)
      try {
        return await work(child)
      } finally {
        giveBack(child)
      }
    } finally {
      release()
    }
  }

  return {
    use: async (work, signal) => {
      if (closing.signal.aborted) throw new SqlError('connection', 'The database has been closed.')
      users += 1
      try {
        return await withChild(work, signal)
      } catch (error) {
        if (closing.signal.aborted)
          throw new SqlError('connection', 'The database was closed while the statement ran or waited.')
        throw error
      } finally {
        users -= 1
      }
    },
    isUnused: () => users === 0,
    retire: async () => {
      retired = true
      const free = idle.splice(0)
      for (const { child, timer } of free) {
        clearTimeout(timer)
        all.delete(child)
      }
      await Promise.all(free.map(({ child }) => child.kill()))
    },
    close: async () => {
      retired = true
      closing.abort()
      for (const entry of idle.splice(0)) clearTimeout(entry.timer)
      await Promise.all([...[...all].map(child => child.kill()), ...forking])
      all.clear()
    },
  }
}

const introspectMilliseconds = 120_000

const unexpected = (reply: ChildReply): QuerentError =>
  new QuerentError('internal', `A database process answered ${reply.type} to another question.`)

/** Asks a child of the pool, and once more another one if an earlier statement had broken the first. */
const askChild = async (
  pool: ChildPool,
  ask: (child: Child, spentMilliseconds: number) => Promise<ChildReply>,
  signal: AbortSignal | undefined,
): Promise<ChildReply> => {
  let spent = 0
  const once = (): Promise<ChildReply> =>
    pool.use(async child => {
      const started = performance.now()
      const reply = await ask(child, spent)
      spent += performance.now() - started
      return reply
    }, signal)
  const first = await once()
  const reply = first.type === 'broken-before' ? await once() : first
  if (reply.type === 'broken-before') throw reply.error
  return reply
}

/** Runs one statement in a child of the pool; `onChild` hears which one it is. Rejects with `SqlError`. */
export const runInChild = async (
  pool: ChildPool,
  sql: string,
  { signal, ...limits }: RunOptions,
  onChild: (child: Child) => void = () => {},
): Promise<ResultTable> => {
  let rows: (readonly Cell[])[] = []
  let started = 0
  const reply = await askChild(
    pool,
    (child, spent) => {
      onChild(child)
      rows = []
      started = performance.now()
      return child.request(
        { type: 'run', sql, maxRows: limits.maxRows, maxBytes: limits.maxBytes },
        {
          timeoutMs: Math.max(1, Math.ceil(limits.timeoutMs - spent)),
          onRows: batch => {
            for (const row of batch) rows.push(row)
          },
          ...(signal && { signal }),
        },
      )
    },
    signal,
  )
  if (reply.type !== 'done') throw unexpected(reply)
  const { columns, truncated } = reply
  return { columns, rows, truncated, milliseconds: performance.now() - started }
}

/** Reads the catalog in a child of the pool. */
export const introspectInChild = async (pool: ChildPool, signal?: AbortSignal): Promise<Catalog> => {
  const reply = await askChild(
    pool,
    child =>
      child.request({ type: 'introspect' }, { timeoutMs: introspectMilliseconds, ...(signal && { signal }) }),
    signal,
  )
  if (reply.type !== 'catalog') throw unexpected(reply)
  return reply.catalog
}
