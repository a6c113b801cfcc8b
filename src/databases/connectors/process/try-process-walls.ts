import process from 'node:process'
import type { RunOptions } from '../../../core/connector.ts'
import type { ResultTable } from '../../../core/result.ts'
import { SqlError } from '../../../core/sql-error.ts'
import type { SafeguardResults } from '../../../core/wall-trials.ts'
import { checkSafeguards } from '../try-walls.ts'
import type { Child } from './fork-child.ts'

const probeMilliseconds = 10_000
const safeguardLimits = { maxRows: 1, maxBytes: 1024 }

/** A statement that was stopped is gone with its process, and not before. */
const isRunning = (pid: number | undefined): boolean => {
  if (pid === undefined) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Tries the walls of a database that is read by processes of ours. `writes` are statements that must all be refused, and
 * `endless` is one that takes days and no memory to speak of.
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
      // A file has no users. Whether ours may write to it says little: in SQLite's WAL mode even reading needs that.
      roleCanWrite: async () => null,
    },
    signal,
  )
}

/** Resolves as soon as one of them does what it must not; rejects with the last refusal. */
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
