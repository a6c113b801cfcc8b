import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../../core/errors.ts'
import { isRunning, readPostmaster } from './postmaster-file.ts'

/** A fast shutdown writes a checkpoint first. */
const FAST_MS = 30_000
const IMMEDIATE_MS = 5_000
const STOP_POLL_MS = 10

/**
 * Stops the server of a data folder: fast (open transactions are rolled back), and immediately when that takes too
 * long, which the next start repairs from the log. Does nothing when none runs.
 */
export const stopServer = async (data: string): Promise<void> => {
  const server = await readPostmaster(data)
  if (!server || !(await isRunning(server.pid, data))) return
  process.kill(server.pid, 'SIGINT')
  if (await isGone(data, server.pid, FAST_MS)) return
  process.kill(server.pid, 'SIGQUIT')
  if (await isGone(data, server.pid, IMMEDIATE_MS)) return
  throw new QuerentError(
    'store-unavailable',
    `the built-in Postgres (process ${server.pid}) does not stop; end it yourself`,
  )
}

const isGone = async (data: string, pid: number, waitMs: number): Promise<boolean> => {
  const deadline = Date.now() + waitMs
  while (Date.now() < deadline) {
    // Its file goes a moment before the process does.
    if (!(await isRunning(pid, data))) return true
    await sleep(STOP_POLL_MS)
  }
  return false
}
