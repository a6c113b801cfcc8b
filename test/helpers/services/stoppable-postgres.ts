import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../../simulator/free-port.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts'

/** A Postgres of a test's own with one database, which it may stop and start. */
export interface StoppablePostgres extends AsyncDisposable {
  /** Of the database; stays the same however often the server is started. */
  readonly url: string
  /** Stops the server as an administrator does: connections are ended, open transactions rolled back. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Rows of a query, on a connection of its own. */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
}

const DATABASE = 'querent_outage'

/**
 * Starts it. The built-in server takes another port at each start, so its address is a door of ours that lets through
 * to wherever it is, and is shut while it is away.
 */
export const startStoppablePostgres = async (): Promise<StoppablePostgres> => {
  const home = mkdtempSync(join(tmpdir(), 'querent-outage-'))
  const port = await freePort()
  let server: EmbeddedServer | null = null
  let door: Door | null = null

  const start = async (): Promise<void> => {
    server = await startEmbeddedServer({ home, durable: false })
    door = await openDoor(port, Number(new URL(server.adminUrl).port))
  }
  const stop = async (): Promise<void> => {
    await server?.stop()
    await door?.shut()
    server = null
    door = null
  }
  const query = async (
    url: string,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }

  await start()
  const started = server as EmbeddedServer | null
  const address = new URL(started?.adminUrl ?? '')
  await query(address.toString(), `create database ${DATABASE}`)
  address.port = String(port)
  address.pathname = `/${DATABASE}`
  const url = address.toString()
  return {
    url,
    stop,
    start,
    rows: (sql, values) => query(url, sql, values),
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

interface Door {
  shut(): Promise<void>
}

const openDoor = async (port: number, to: number): Promise<Door> => {
  const sockets = new Set<Socket>()
  const door: Server = createServer(inner => {
    const outer = connect(to, '127.0.0.1')
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        inner.destroy()
        outer.destroy()
      })
    }
    inner.pipe(outer).pipe(inner)
  })
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject)
    door.listen(port, '127.0.0.1', resolve)
  })
  return {
    shut: async () => {
      const closed = new Promise<void>(resolve => door.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
