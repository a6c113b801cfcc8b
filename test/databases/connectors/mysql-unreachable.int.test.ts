import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2'
import { describe, expect, it } from 'vitest'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import type { QuerentError } from '../../../src/domain/errors.ts'
import { requireService } from '../../helpers/services/require-service.ts'

const serverUrl = requireService('MYSQL_URL', 'the MySQL connector')

describe('a MySQL server that cannot be reached', () => {
  const refusal = (url: string, options: object = {}): Promise<QuerentError> =>
    makeMysqlConnector({ url, place: 'mysql://reader@test', ...options }).then(
      () => expect.fail('it connected'),
      error => error,
    )

  it.each([
    ['a closed port', 'mysql://reader:s3cret@127.0.0.1:1/x', 'No server is listening there'],
    ['an unknown host', 'mysql://reader:s3cret@nowhere.invalid/x', 'host name'],
    ['no socket', 'mysql://reader:s3cret@localhost/x?socket=/nowhere/mysqld.sock', 'no such socket'],
  ])('says what to check: %s', async (_, url, advice) => {
    const error = await refusal(url)
    expect(error).toMatchObject({ code: 'database-unreachable', message: expect.stringContaining(advice) })
    expect(error.message).toContain('mysql://reader@test')
    expect(error.message).not.toContain('s3cret')
  })

  it.each([
    ['a parameter that it does not know', 'mysql://reader:s3cret@h/x?allowLocalInfile=1', 'ssl-mode'],
    ['a mode that there is not', 'mysql://reader:s3cret@h/x?ssl-mode=perhaps', 'VERIFY_IDENTITY'],
    ['an authority that is not there', 'mysql://reader:s3cret@h/x?ssl-ca=/nowhere.pem', 'cannot be read'],
  ])('says what is wrong with the address: %s', async (_, url, words) => {
    const error = await refusal(url)
    expect(error).toMatchObject({ code: 'unknown-database', message: expect.stringContaining(words) })
    expect(error.message).not.toContain('s3cret')
  })

  it.skipIf(serverUrl === null)(
    'says so of a wrong password and of a database that is not there',
    async () => {
      const wrongPassword = new URL(serverUrl!)
      wrongPassword.username = 'nobody_at_all'
      wrongPassword.password = 's3cret-and-wrong'
      const password = await refusal(wrongPassword.href)
      expect(password).toMatchObject({
        code: 'database-unreachable',
        message: expect.stringContaining('Check user and password'),
      })
      expect(password.message).not.toContain('s3cret')
      const wrongDatabase = new URL(serverUrl!)
      wrongDatabase.pathname = '/nowhere_at_all'
      expect((await refusal(wrongDatabase.href)).message).toContain('no such database')
    },
  )

  it.skipIf(serverUrl === null)(
    'says so when the server does not support TLS, and does not go on without it',
    async () => {
      const encrypted = new URL(serverUrl!)
      encrypted.searchParams.set('ssl-mode', 'VERIFY_IDENTITY')
      const error = await refusal(encrypted.href)
      expect(error).toMatchObject({
        code: 'database-unreachable',
        message: expect.stringMatching(/does not support TLS|not trusted|another host name/),
      })
    },
  )

  it('sends a server none of our files, whatever it asks for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-infile-'))
    const file = join(folder, 'secret')
    writeFileSync(file, 'the secret of this machine')
    const received: Buffer[] = []
    const hostile = mysql.createServer(() => {})
    hostile.on('connection', connection => {
      connection.serverHandshake({
        protocolVersion: 10,
        serverVersion: '8.4.0',
        connectionId: 1,
        statusFlags: 2,
        characterSet: 45,
        // Everything, so that it is our own flags that decide.
        capabilityFlags: 0xffffff,
        authCallback: (_: unknown, accept: (error: null) => void) => accept(null),
      })
      const { stream } = connection as unknown as { stream: Socket }
      connection.on('error', () => {})
      connection.on('query', () => {
        stream.removeAllListeners('data')
        stream.on('data', data => {
          received.push(data)
          // A client ends what it sends of a file, be it nothing, with a packet of no length.
          if (Buffer.concat(received).subarray(-4, -1).equals(Buffer.alloc(3))) stream.destroy()
        })
        // The answer of a server that wants a file: 0xfb and its path (LOCAL INFILE request).
        const path = Buffer.from(file)
        stream.write(Buffer.concat([Buffer.from([path.length + 1, 0, 0, 1, 0xfb]), path]))
      })
    })
    hostile.listen(0)
    const server = (hostile as unknown as { _server: Server })._server
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const error = await refusal(`mysql://reader@127.0.0.1:${port}/x`)
    expect(error).toBeInstanceOf(Error)
    expect(received.length).toBeGreaterThan(0)
    expect(Buffer.concat(received).toString('latin1')).not.toContain('secret')
    await new Promise<void>(resolve => hostile.close(() => resolve()))
    rmSync(folder, { recursive: true })
  })

  it('gives up on one that accepts and says nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const error = await refusal(`mysql://reader@127.0.0.1:${port}/x`, { connectMilliseconds: 300 })
    expect(error).toMatchObject({
      code: 'database-unreachable',
      message: expect.stringContaining('There was no answer'),
    })
    silent.close()
  })
})
