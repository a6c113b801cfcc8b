import { closeSync, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { QuerentError } from '../../domain/errors.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import { findNativeFolder, prepareBinaries } from './binaries.ts'
import { keepRunning } from './keep-running.ts'
import {
  initData,
  makeServerFolder,
  readServerPassword,
  type ServerFolder,
  SUPERUSER,
} from './server-folder.ts'
import {
  freePort,
  isRunning,
  launchServer,
  type Postmaster,
  readPostmaster,
  stopServer,
} from './server-process.ts'

/** Options of `startEmbeddedServer`. */
interface EmbeddedOptions {
  /** The project's `.querent` folder, which the server belongs to; for root its data is elsewhere (see `folder`). */
  readonly home: string
  readonly log?: Log
  /** False trades safety on a power failure for speed: for tests. */
  readonly durable?: boolean
}

/** A running embedded Postgres, and this process's hold on it. */
export interface EmbeddedServer {
  /** Superuser URL of the database `postgres`. */
  readonly adminUrl: string
  /** Superuser URL of another database of the server. */
  urlFor(database: string): string
  /** Whether this process started the server or found it running. */
  readonly owner: 'started' | 'attached'
  /** The folder of data, log and password. */
  readonly folder: string
  /** Releases the server and stops it if no other process uses it. Calling it twice is harmless. */
  stop(): Promise<void>
}

/** How long to wait for another process that creates the data folder, or recovers it after a crash. */
const LOCK_WAIT_MS = 120_000

const ATTACH_WAIT_MS = 60_000

const ATTACH_POLL_MS = 25

/**
 * Starts the embedded server of a home, or attaches to the running one.
 *
 * Every process that uses the server holds a shared lock on `clients.lock`, and the last one to exit stops the server.
 * So no process stops it while another uses it, no matter which started it; and because the kernel releases the locks of dead
 * processes, a server whose starter was killed is taken over by the next process. `startup.lock` lets one process at a
 * time start, attach or stop. A server that is gone is started again at the same address by one of those that use it.
 * Throws `store-unavailable` with the next step.
 */
export const startEmbeddedServer = async (options: EmbeddedOptions): Promise<EmbeddedServer> => {
  const { home, log = silentLog, durable = true } = options
  const folder = await makeServerFolder(home)
  const startupLock = join(folder.root, 'startup.lock')
  const clientsLock = join(folder.root, 'clients.lock')

  const { owner, server, password, clientsHold } = await withProcessLock(
    startupLock,
    LOCK_WAIT_MS,
    async () => {
      const password = await readServerPassword(folder.root, await exists(join(folder.data, 'PG_VERSION')))
      const running = await findRunning(folder.data, password)
      // One that was killed left its port in a file, and others still use that address.
      const last = await readPostmaster(folder.data)
      const server = running ?? (await start(folder, password, { durable, port: last?.port ?? null }))
      const owner: EmbeddedServer['owner'] = running ? 'attached' : 'started'
      return { owner, server, password, clientsHold: acquireClientsLock(clientsLock) }
    },
  )
  log.debug({ folder: folder.root, port: server.port, owner }, 'the built-in Postgres is ready')

  const urlFor = (database: string): string => urlOf(server, password, database)
  const watch = keepRunning({
    isUp: async () => {
      const found = await readPostmaster(folder.data)
      return found !== null && (await isRunning(found.pid, folder.data))
    },
    startAgain: () =>
      withProcessLock(startupLock, LOCK_WAIT_MS, async () => {
        const running = await findRunning(folder.data, password)
        const again = running ?? (await start(folder, password, { durable, port: server.port }))
        if (again.port !== server.port)
          throw new QuerentError(
            'store-unavailable',
            `the built-in Postgres has moved to port ${again.port}, because port ${server.port} is taken; restart this process`,
          )
      }),
    log,
  })
  let held: HeldLock | null = clientsHold
  return {
    adminUrl: urlFor('postgres'),
    urlFor,
    owner,
    folder: folder.root,
    stop: async () => {
      if (!held) return
      const leaving = held
      held = null
      await watch.stop()
      await withProcessLock(startupLock, LOCK_WAIT_MS, async () => {
        leaving.release()
        const isLastClient = tryProcessLock(clientsLock, 'exclusive')
        if (!isLastClient) return log.debug({ folder: folder.root }, 'others still use the built-in Postgres')
        try {
          await stopServer(folder.data)
        } finally {
          isLastClient.release()
        }
      })
    },
  }
}

/** `port`: where it was before; another if that is taken. */
const start = async (
  folder: ServerFolder,
  password: string,
  { durable, port }: { readonly durable: boolean; readonly port: number | null },
): Promise<Postmaster> => {
  const binaries = await prepareBinaries(findNativeFolder(), folder.root, folder.runAs !== null)
  await initData(folder, binaries, password, durable)
  const ports = port === null ? [] : [port]
  const server = await launchServer(folder, binaries, {
    durable,
    nextPort: async () => ports.shift() ?? freePort(),
  })
  try {
    await acceptsPassword(server, password)
    return server
  } catch (error) {
    await stopServer(folder.data)
    throw error
  }
}

/** The server of this data folder, once it accepts connections; null if none runs. */
const findRunning = async (data: string, password: string): Promise<Postmaster | null> => {
  const deadline = Date.now() + ATTACH_WAIT_MS
  for (;;) {
    const found = await readPostmaster(data)
    if (!found || !(await isRunning(found.pid, data))) return null
    // It may be starting or shutting down: a killed process is still there for a moment.
    if (found.ready && (await acceptsPassword(found, password))) return found
    if (Date.now() > deadline) {
      throw new QuerentError(
        'store-unavailable',
        `the built-in Postgres (process ${found.pid}) has not been ready for ${ATTACH_WAIT_MS / 1000} s; see the log beside ${data}`,
      )
    }
    await sleep(ATTACH_POLL_MS)
  }
}

/** SQLSTATE class of a wrong password or user. */
const NO_ACCESS = '28'

const acceptsPassword = async (server: Postmaster, password: string): Promise<boolean> => {
  const client = new Client({ connectionString: urlOf(server, password, 'postgres') })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string }
    if (!code?.startsWith(NO_ACCESS)) return false
    throw new QuerentError(
      'store-unavailable',
      `the built-in Postgres on port ${server.port} refuses the password of its file: ${message}`,
      { cause },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

const acquireClientsLock = (clientsLock: string): HeldLock => {
  const clientsHold = tryProcessLock(clientsLock, 'shared')
  // Exclusive holders also hold the startup lock, which this process has now.
  if (!clientsHold) throw new QuerentError('internal', `${clientsLock} is locked by another program`)
  return clientsHold
}

const urlOf = (server: Postmaster, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Advisory lock for creating databases: two processes revoking the same right at once would make one fail. */
const DATABASE_LOCK = 7_203_115_003

/** Creates a database of this name on the server if there is none. Throws `store-unavailable` if it cannot. */
export const ensureDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    // Held until the connection ends.
    await client.query('select pg_advisory_lock($1)', [DATABASE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
    // A new database is open to every role of the server, including the sample company's reader.
    await client.query(`revoke all on database ${escapeIdentifier(name)} from public`)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new QuerentError('store-unavailable', `the database ${name} could not be made: ${reason}`, {
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** Drops a database of the embedded server, even if others are connected. Does nothing if there is none. */
export const dropDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new QuerentError('store-unavailable', `the database ${name} could not be dropped: ${reason}`, {
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** A held lock; the kernel releases it when the process dies. */
export interface HeldLock {
  release(): void
}

const SQLITE_BUSY = 5

const POLL_MS = 25

/**
 * Takes a lock on a file shared by processes of this machine: `shared` beside other shared holders, `exclusive` alone.
 * Null if it is taken; never waits.
 *
 * It is SQLite's lock on an empty database. Node has no file locks, and a pid file is no lock: pids are reused, and two
 * processes that both find it stale both take it over.
 */
export const tryProcessLock = (file: string, mode: 'shared' | 'exclusive'): HeldLock | null => {
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    if (mode === 'exclusive') database.exec('begin exclusive')
    else {
      database.exec('begin')
      // The first read takes the shared lock, which is held until the transaction ends.
      database.prepare('select count(*) from sqlite_master').get()
    }
    return { release: () => database.isOpen && database.close() }
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw error
  }
}

/** SQLite would make the file readable, and anyone who can read it can hold a shared lock on it. */
const makePrivate = (file: string): void => {
  try {
    // Only a new file: closing an existing one would drop this process's locks on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Runs `work` while no other process holds the lock on this file. Throws `store-unavailable` after `waitMs`. */
export const withProcessLock = async <T>(
  file: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> => {
  const deadline = Date.now() + waitMs
  let lock = tryProcessLock(file, 'exclusive')
  while (!lock) {
    if (Date.now() > deadline) {
      throw new QuerentError(
        'store-unavailable',
        `another process has been starting or stopping the built-in Postgres for ${Math.round(waitMs / 1000)} s (lock: ${file}); end it, then try again`,
      )
    }
    await sleep(POLL_MS)
    lock = tryProcessLock(file, 'exclusive')
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
