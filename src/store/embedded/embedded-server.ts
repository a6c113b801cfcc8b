import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import { QuerentError } from '../../domain/errors.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import { findNativeFolder, prepareBinaries } from './binaries.ts'
import { type HeldLock, tryProcessLock, withProcessLock } from './process-lock.ts'
import {
  initData,
  makeServerFolder,
  readServerPassword,
  type ServerFolder,
  SUPERUSER,
} from './server-folder.ts'
import { isRunning, launchServer, type Postmaster, readPostmaster, stopServer } from './server-process.ts'

/** What `startEmbeddedServer` is told. */
interface EmbeddedOptions {
  /** The `.querent` folder of the project. The server belongs to it; as root, it lies elsewhere (see `folder`). */
  readonly home: string
  readonly log?: Log
  /** False gives up safety on a power cut for speed: for tests. */
  readonly durable?: boolean
}

/** A Postgres that Querent brought along, and this process's hold on it. */
export interface EmbeddedServer {
  /** URL of the superuser on the database `postgres`. */
  readonly adminUrl: string
  /** URL of the superuser on another database of the server. */
  urlFor(database: string): string
  /** Whether this process started the server, or found it running. */
  readonly owner: 'started' | 'attached'
  /** Where data, log and password are. */
  readonly folder: string
  /** Lets go of the server, and stops it if no other process holds on to it. Harmless when called twice. */
  stop(): Promise<void>
}

/** Waiting for another process that makes the data folder, or recovers it after a crash. */
const LOCK_WAIT_MS = 120_000

const ATTACH_WAIT_MS = 60_000

const ATTACH_POLL_MS = 25

/**
 * Starts the embedded server of a home, or attaches to the one that runs.
 *
 * Every process that uses the server holds a shared lock on `clients.lock`, and the last one out stops the server. So
 * no process stops it under another's feet, whoever started it; and because the kernel lets go of the locks of the
 * dead, a server whose starter was killed is simply taken over by whoever comes next. `startup.lock` lets one process
 * at a time start, attach or stop. Throws `store-unavailable` with what to do.
 */
export const startEmbeddedServer = async (options: EmbeddedOptions): Promise<EmbeddedServer> => {
  const { home, log = silentLog, durable = true } = options
  const folder = await makeServerFolder(home)
  const startupLock = join(folder.root, 'startup.lock')
  const clientsLock = join(folder.root, 'clients.lock')

  const { owner, server, password, hold } = await withProcessLock(startupLock, LOCK_WAIT_MS, async () => {
    const password = await readServerPassword(folder.root, await exists(join(folder.data, 'PG_VERSION')))
    const running = await findRunning(folder.data, password)
    const server = running ?? (await start(folder, password, durable))
    const owner: EmbeddedServer['owner'] = running ? 'attached' : 'started'
    return { owner, server, password, hold: acquireClientsLock(clientsLock) }
  })
  log.debug({ folder: folder.root, port: server.port, owner }, 'the built-in Postgres is ready')

  const urlFor = (database: string): string => urlOf(server, password, database)
  let held: HeldLock | null = hold
  return {
    adminUrl: urlFor('postgres'),
    urlFor,
    owner,
    folder: folder.root,
    stop: async () => {
      if (!held) return
      const leaving = held
      held = null
      await withProcessLock(startupLock, LOCK_WAIT_MS, async () => {
        leaving.release()
        const alone = tryProcessLock(clientsLock, 'exclusive')
        if (!alone) return log.debug({ folder: folder.root }, 'others still use the built-in Postgres')
        try {
          await stopServer(folder.data)
        } finally {
          alone.release()
        }
      })
    },
  }
}

const start = async (folder: ServerFolder, password: string, durable: boolean): Promise<Postmaster> => {
  const binaries = await prepareBinaries(findNativeFolder(), folder.root, folder.runAs !== null)
  await initData(folder, binaries, password, durable)
  const server = await launchServer(folder, binaries, durable)
  try {
    await acceptsPassword(server, password)
    return server
  } catch (error) {
    await stopServer(folder.data)
    throw error
  }
}

/** The server of this data folder, once it lets us in; null when none runs. */
const findRunning = async (data: string, password: string): Promise<Postmaster | null> => {
  const deadline = Date.now() + ATTACH_WAIT_MS
  for (;;) {
    const found = await readPostmaster(data)
    if (!found || !(await isRunning(found.pid, data))) return null
    // It may be starting, or dying: a process that was just killed is there for a moment.
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
      `the built-in Postgres on port ${server.port} does not let us in: ${message}`,
      { cause },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

const acquireClientsLock = (clientsLock: string): HeldLock => {
  const hold = tryProcessLock(clientsLock, 'shared')
  // Exclusive holders hold the startup lock too, and that is ours now.
  if (!hold) throw new QuerentError('internal', `${clientsLock} is locked by another program`)
  return hold
}

const urlOf = (server: Postmaster, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Advisory lock of whoever makes a database: two who revoke the same right at once would fail one of them. */
const DATABASE_LOCK = 7_203_115_003

/** Creates a database of this name on the server when there is none. Throws `store-unavailable` when it cannot. */
export const ensureDatabase = async (adminUrl: string, name: string): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    // Held until the connection ends.
    await client.query('select pg_advisory_lock($1)', [DATABASE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
    // A new database is open to every role of the server, the sample company's reader among them.
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

/** Drops a database of the embedded server, whoever is connected to it. Does nothing when there is none. */
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
