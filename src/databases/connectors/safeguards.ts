import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunOptions, SafeguardResults } from '../../domain/database.ts'
import { SqlError } from '../../domain/errors.ts'
import type { ResultTable } from '../../domain/result.ts'
import type { Child } from './child/fork.ts'

/**
 * What a kind of database provides so that its safeguards can be checked. All reject as the connector's own `run`
 * does.
 */
interface SafeguardProbes {
  /** Writes on the read-only path. `name` is of a table that does not exist. */
  readonly write: (name: string, signal: AbortSignal | undefined) => Promise<unknown>
  /** Runs for hours unless it is stopped, on the path of `run`. `mark` is a word that identifies the statement. */
  readonly endless: (
    mark: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ) => Promise<unknown>
  /** Whether the database is running the statement with this mark, as seen from outside it. */
  readonly isAtWork: (mark: string, signal: AbortSignal | undefined) => Promise<boolean>
  readonly roleCanWrite: (signal: AbortSignal | undefined) => Promise<boolean | null>
}

const shortLimitMs = 500

/** The time limit of the statement that is cancelled, too long to be what ended it. */
const longLimitMs = 60_000

const maxWaitMs = 10_000

const pollIntervalMs = 50

const makeMark = (): string => `querent_wall_${randomUUID().replaceAll('-', '')}`

/**
 * The class of the error that a statement failed with; null if it did not fail. Rejects if the caller cancelled
 * it.
 */
const failureOf = async (work: Promise<unknown>, signal?: AbortSignal): Promise<string | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (!(error instanceof SqlError) || error.errorClass === 'connection' || signal?.aborted) throw error
    return error.errorClass
  }
}

const waitUntil = async (wanted: boolean, look: () => Promise<boolean>): Promise<boolean> => {
  for (const until = performance.now() + maxWaitMs; performance.now() < until; await delay(pollIntervalMs))
    if ((await look()) === wanted) return true
  return false
}

/**
 * Checks the safeguards one after the other, which takes about two seconds if all of them hold. Rejects if the
 * database cannot be reached or `signal` is aborted: then nothing has been shown.
 */
export const checkSafeguards = async (
  probes: SafeguardProbes,
  signal?: AbortSignal,
): Promise<SafeguardResults> => {
  const goesAway = (mark: string): Promise<boolean> => waitUntil(false, () => probes.isAtWork(mark, signal))

  const stopsAtTimeout = async (): Promise<boolean> => {
    const mark = makeMark()
    const limited = probes.endless(mark, { timeoutMs: shortLimitMs, ...(signal && { signal }) })
    return (await failureOf(limited, signal)) === 'timeout' && (await goesAway(mark))
  }

  const cancelFreesServer = async (): Promise<boolean> => {
    const mark = makeMark()
    const cancelling = new AbortController()
    const either = signal ? AbortSignal.any([signal, cancelling.signal]) : cancelling.signal
    const running = failureOf(probes.endless(mark, { timeoutMs: longLimitMs, signal: either }), signal)
    // Awaited below. Until then its failure must not count as unhandled.
    running.catch(() => {})
    try {
      if (!(await waitUntil(true, () => probes.isAtWork(mark, signal)))) return false
    } finally {
      cancelling.abort()
    }
    return (await running) === 'cancelled' && (await goesAway(mark))
  }

  return {
    refusesWrites: (await failureOf(probes.write(makeMark(), signal), signal)) === 'permission',
    stopsAtTimeout: await stopsAtTimeout(),
    cancelFreesServer: await cancelFreesServer(),
    roleCanWrite: await probes.roleCanWrite(signal),
  }
}

const probeMilliseconds = 10_000

const safeguardLimits = { maxRows: 1, maxBytes: 1024 }

/** A statement has stopped when its process is gone. */
const isRunning = (pid: number | undefined): boolean => {
  if (pid === undefined) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Checks the safeguards of a database that our own processes read. `writes` are statements that must all be
 * refused, and `endless` is one that takes days and little memory.
 */
export const checkProcessSafeguards = ({
  run,
  writes,
  endless,
  signal,
}: {
  readonly run: (sql: string, options: RunOptions, onChild?: (child: Child) => void) => Promise<ResultTable>
  readonly writes: (name: string) => readonly [string, ...string[]]
  readonly endless: string
  readonly signal?: AbortSignal | undefined
}): Promise<SafeguardResults> => {
  const pids = new Map<string, number>()
  return checkSafeguards(
    {
      write: (name, signal) =>
        allRejected(
          writes(name).map(
            sql => () =>
              run(sql, { ...safeguardLimits, timeoutMs: probeMilliseconds, ...(signal && { signal }) }),
          ),
        ),
      endless: (mark, limits) =>
        run(endless, { ...safeguardLimits, ...limits }, child => pids.set(mark, child.pid)),
      isAtWork: async mark => isRunning(pids.get(mark)),
      // A file has no users. Whether this process can write to it says little: in SQLite's WAL mode even
      // reading needs that.
      roleCanWrite: async () => null,
    },
    signal,
  )
}

/** Resolves as soon as one of them is not refused; rejects with the last refusal. */
const allRejected = async (attempts: readonly (() => Promise<unknown>)[]): Promise<void> => {
  let refusal: unknown
  for (const attempt of attempts) {
    try {
      await attempt()
      return
    } catch (error) {
      refusal = error
      if (!(error instanceof SqlError) || error.errorClass !== 'permission') throw error
    }
  }
  throw refusal
}
