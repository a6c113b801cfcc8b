import { spawn } from 'node:child_process'
import { open, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../../domain/errors.ts'
import type { Binaries } from './binaries.ts'
import { findServerData, SERVER_ENVIRONMENT, type ServerFolder } from './server-folder.ts'

/** Somebody may take a port between our finding it free and the server's binding it. */
const PORT_ATTEMPTS = 5

/** Long enough for the recovery after a crash. */
const READY_MS = 60_000

const START_POLL_MS = 10

/** How long the sessions of a server that was killed may take to notice and end; until then nobody can start anew. */
const ORPHANS_MS = 20_000

const ORPHANS_POLL_MS = 250

const settings = (port: number, durable: boolean): Record<string, string | number> => ({
  port,
  listen_addresses: '127.0.0.1',
  // A socket would need a folder that both users reach, with a path under 108 bytes.
  unix_socket_directories: '',
  shared_buffers: '64MB',
  // A bot takes up to 26; several may share one server, and an idle slot costs next to nothing.
  max_connections: 300,
  // One machine, no replicas: the least log that survives a crash.
  wal_level: 'minimal',
  max_wal_senders: 0,
  // Reads go through the kernel; the workers would be three more processes in an idle server.
  io_method: 'sync',
  // Parallel plans need /dev/shm, of which a container often has 64 MB.
  max_parallel_workers_per_gather: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
})

/**
 * Starts a server on a free port of 127.0.0.1 and waits until it takes connections. It is in a session of its own, so
 * that Ctrl-C in our terminal does not reach it before we have closed what we had open.
 */
export const launchServer = async (
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
): Promise<Postmaster> => {
  await rename(folder.log, `${folder.log}.1`).catch(() => {})
  const deadline = Date.now() + ORPHANS_MS
  let portsTaken = 0
  for (;;) {
    const outcome = await launchOnce(folder, binaries, await freePort(), durable)
    if (outcome.started) return outcome.started
    const taken = /Address already in use|could not create any TCP\/IP sockets/.test(outcome.said)
    if (taken && ++portsTaken < PORT_ATTEMPTS) continue
    if (/pre-existing shared memory block/.test(outcome.said) && Date.now() < deadline) {
      await sleep(ORPHANS_POLL_MS)
      continue
    }
    throw new QuerentError(
      'store-unavailable',
      `the built-in Postgres did not start; its log ${folder.log} ends with: ${outcome.said}`,
    )
  }
}

const launchOnce = async (
  folder: ServerFolder,
  binaries: Binaries,
  port: number,
  durable: boolean,
): Promise<{ started: Postmaster } | { started: null; said: string }> => {
  const log = await open(folder.log, 'a', 0o600)
  const flags = Object.entries(settings(port, durable)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(binaries.postgres, ['-D', folder.data, ...flags], {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...folder.runAs,
  })
  await log.close()
  server.unref()
  let ended: string | null = null
  server.once('error', error => {
    ended = error.message
  })
  server.once('exit', () => {
    ended ??= ''
  })
  const deadline = Date.now() + READY_MS
  while (ended === null && Date.now() < deadline) {
    const found = await readPostmaster(folder.data)
    if (found?.ready && found.pid === server.pid) return { started: found }
    await sleep(START_POLL_MS)
  }
  if (ended === null) server.kill('SIGQUIT')
  const lines = (await readFile(folder.log, 'utf8').catch(() => '')).trim().split('\n')
  return {
    started: null,
    said: [ended ?? 'not ready in time', ...lines.slice(-5)].filter(Boolean).join(' | '),
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })

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

/** Whether the embedded server of a home runs and is ready. Starts and makes nothing. */
export const isServerRunning = async (home: string): Promise<boolean> => {
  const data = await findServerData(home)
  if (data === null) return false
  const found = await readPostmaster(data)
  return found?.ready === true && (await isRunning(found.pid, data))
}
