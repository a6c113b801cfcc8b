import process from 'node:process'
import type { RunOptions } from '../../../core/connector.ts'
import type { ResultTable } from '../../../core/result.ts'
import { SqlError } from '../../../core/sql-error.ts'
import type { WallTrials } from '../../../core/wall-trials.ts'
import { tryWalls } from '../try-walls.ts'
import type { Child } from './fork-child.ts'

const probeMilliseconds = 10_000
const wallLimits = { maxRows: 1, maxBytes: 1024 }

/** A statement that was stopped is gone with its process, and not before. */
const isProcess = (pid: number | undefined): boolean => {
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
export const tryProcessWalls = ({
  run,
  writes,
  endless,
  signal,
}: {
  readonly run: (sql: string, options: RunOptions, onChild?: (child: Child) => void) => Promise<ResultTable>
  readonly writes: (name: string) => readonly [string, ...string[]]
  readonly endless: string
  readonly signal?: AbortSignal | undefined
}): Promise<WallTrials> => {
  const pids = new Map<string, number>()
  return tryWalls(
    {
      write: (name, signal) =>
        mustAllFail(
          writes(name).map(
            sql => () => run(sql, { ...wallLimits, timeoutMs: probeMilliseconds, ...(signal && { signal }) }),
          ),
        ),
      endless: (mark, limits) =>
        run(endless, { ...wallLimits, ...limits }, child => pids.set(mark, child.pid)),
      isAtWork: async mark => isProcess(pids.get(mark)),
      // A file has no users. Whether ours may write to it says little: in SQLite's WAL mode even reading needs that.
      roleCanWrite: async () => null,
    },
    signal,
  )
}

/** Resolves as soon as one of them does what it must not; rejects with the last refusal. */
const mustAllFail = async (attempts: readonly (() => Promise<unknown>)[]): Promise<void> => {
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
