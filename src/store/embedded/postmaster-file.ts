import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a running server says of itself in `postmaster.pid` (Postgres, src/include/utils/pidfile.h). */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

const LINE = { pid: 0, port: 3, status: 7 }

/** Reads the file of a data folder; null when there is none, or when it is only half written. */
export const readPostmaster = async (data: string): Promise<Postmaster | null> => {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[LINE.pid]), Number(lines[LINE.port])]
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null
  return { pid, port, ready: lines[LINE.status]?.trim() === 'ready' }
}

/**
 * Whether this pid is the Postgres of a data folder, and runs. A server that was killed leaves its file behind, and the
 * number may since belong to somebody else, or to a dead process that nobody has waited for; Linux tells them apart.
 */
export const isRunning = async (pid: number, data: string): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // Empty for the dead.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  if (commandLine === null) return process.platform !== 'linux'
  return commandLine.split('\0').includes(data)
}
