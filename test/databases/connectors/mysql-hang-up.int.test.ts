import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createMysqlDatabase, type MysqlTestDatabase } from '../../helpers/services/mysql-database.ts'
import { until } from '../../helpers/wait.ts'
import { mysqlNumbers, mysqlServerUrl } from './mysql-service.ts'

/** In front of the server: counts what it sends, and lets nobody else in once it sends rows. */
const startProxy = async ({ hostname, port }: URL) => {
  const seen = { received: 0, closed: 0 }
  const server: Server = createServer({ allowHalfOpen: true }, (client: Socket) => {
    if (seen.received > 8_000) return void client.destroy()
    const upstream = connect(Number(port || 3306), hostname)
    upstream.on('data', chunk => {
      seen.received += chunk.length
    })
    // A goodbye is not passed on, as by a load balancer.
    client.pipe(upstream, { end: false })
    upstream.pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    client.on('close', () => {
      seen.closed += 1
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

describe.skipIf(mysqlServerUrl === null)('a MySQL connection whose result was cut', () => {
  let database: MysqlTestDatabase
  beforeAll(async () => {
    database = await createMysqlDatabase(mysqlServerUrl!)
  })
  afterAll(() => database.drop())

  test('hangs up, so that neither side goes on with nine million rows', async () => {
    const url = new URL(database.url)
    const proxy = await startProxy(url)
    url.port = String(proxy.port)
    const connector = await makeMysqlConnector({ url: url.href, place: 'test', connections: 2 })
    const result = await runOn(
      connector,
      `select a.n, b.n, 'some words that make the row longer' from (${mysqlNumbers(3000)}) a, (${mysqlNumbers(3000)}) b`,
      { maxRows: 200 },
    )
    expect(result).toMatchObject({ truncated: 'rows', rows: { length: 200 } })
    await until(async () => (proxy.seen.closed > 0 ? true : null))
    await until(async () => {
      const running = await database.admin(
        `select id from information_schema.processlist where db = '${database.name}' and id <> connection_id()`,
      )
      return running.length === 0 ? true : null
    })
    // All rows are more than 400 MB. KILL QUERY, which needs a connection of its own, cannot be what stopped them.
    expect(proxy.seen.received).toBeLessThan(1024 * 1024)
    await connector.close()
    await proxy.close()
  })
})
