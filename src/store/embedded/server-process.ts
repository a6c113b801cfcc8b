import { spawn } from 'node:child_process'
import { open, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QuerentError } from '../../domain/errors.ts'
import type { Binaries } from './binaries.ts'
import { findServerData, SERVER_ENVIRONMENT, type ServerFolder } from './server-folder.ts'

/** Another process may take a port after it was found free and before the server binds it. */
const PORT_ATTEMPTS = 5

/** Long enough for recovery after a crash. */
const READY_MS = 60_000

const START_POLL_MS = 10

/** How long the sessions of a killed server may take to end; until then it cannot be started again. */
const ORPHANS_MS = 20_000

const ORPHANS_POLL_MS = 250

const settings = (port: number, durable: boolean): Record<string, string | number> => ({
  port,
  listen_addresses: '127.0.0.1',
  // A socket needs a folder both users can reach, with a path under 108 bytes.
  unix_socket_directories: '',
  shared_buffers: '64MB',
  // A bot uses up to 26; several may share a server, and an idle slot costs almost nothing.
  max_connections: 300,
  // One machine without replicas: the least log that survives a crash.
  wal_level: 'minimal',
  max_wal_senders: 0,
  // Reads go through the kernel; I/O workers would be three more processes in an idle server.
  io_method: 'sync',
  // Parallel plans need /dev/shm, which is often only 64 MB in a container.
  max_parallel_workers_per_gather: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
})

/**
 * Starts a server on a port of 127.0.0.1, on the next one if that is taken, and waits until it accepts connections. It runs in its own session, so
 * that Ctrl-C in the terminal does not reach it before this process has closed its connections.
 */
export const launchServer = async (
  folder: ServerFolder,
  binaries: Binaries,
  { durable, nextPort }: { readonly durable: boolean; readonly nextPort: () => Promise<number> },
): Promise<Postmaster> => {
  await rename(folder.log, `${folder.log}.1`).catch(() => {})
  const deadline = Date.now() + ORPHANS_MS
  let portsTaken = 0
  let port = await nextPort()
  for (;;) {
    const outcome = await launchOnce(folder, binaries, port, durable)
    if (outcome.started) return outcome.started
    const taken = /Address already in use|could not create any TCP\/IP sockets/.test(outcome.said)
    if (taken && ++portsTaken < PORT_ATTEMPTS) {
      port = await nextPort()
      continue
    }
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
  server.unref()
  // Listen before anything is awaited: a server that refuses its settings ends within milliseconds.
  let ended: string | null = null
  server.once('error', error => {
    ended = error.message
  })
  server.once('exit', () => {
    ended ??= ''
  })
  await log.close()
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

/** A port of 127.0.0.1 that was free just now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })

/** A fast shutdown first writes a checkpoint. */
const FAST_MS = 30_000

const IMMEDIATE_MS = 5_000

const STOP_POLL_MS = 10

/**
 * Stops the server of a data folder: fast (open transactions are rolled back), or immediately if that takes too long;
 * the next start then recovers from the log. Does nothing if none runs.
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
    // Its file disappears a moment before the process does.
    if (!(await isRunning(pid, data))) return true
    await sleep(STOP_POLL_MS)
  }
  return false
}

/** What a running server writes to `postmaster.pid` (Postgres, src/include/utils/pidfile.h). */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

const LINE = { pid: 0, port: 3, status: 7 }

/** Reads that file; null if there is none, or if it is only partly written. */
export const readPostmaster = async (data: string): Promise<Postmaster | null> => {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[LINE.pid]), Number(lines[LINE.port])]
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null
  return { pid, port, ready: lines[LINE.status]?.trim() === 'ready' }
}

/**
 * Whether this pid is the running Postgres of a data folder. A killed server leaves its file behind, and the pid may
 * now belong to another process or to a zombie; Linux can tell them apart.
 */
export const isRunning = async (pid: number, data: string): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // Empty for a dead process.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  if (commandLine === null) return process.platform !== 'linux'
  return commandLine.split('\0').includes(data)
}

/** Whether the embedded server of a home is running and ready. Starts and creates nothing. */
export const isServerRunning = async (home: string): Promise<boolean> => {
  const data = await findServerData(home)
  if (data === null) return false
  const found = await readPostmaster(data)
  return found?.ready === true && (await isRunning(found.pid, data))
}
