import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { toAddress } from '../../../src/cli/init/database-address.ts'
import { makeDuckdbConnector } from '../../../src/databases/connectors/duckdb/connector.ts'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-special-'))

const pipe = join(folder, 'shop.sqlite')

const csvPipe = join(folder, 'data', 'orders.csv')

const socket = join(folder, 'socket')

const link = join(folder, 'link.sqlite')

execFileSync('mkdir', [join(folder, 'data')])

execFileSync('mkfifo', [pipe, csvPipe])

symlinkSync(pipe, link)

const server = createServer().listen(socket)

afterAll(async () => {
  await new Promise(resolve => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const refused = (kind: string) => ({
  code: 'unknown-database',
  message: expect.stringMatching(new RegExp(`is ${kind}, which cannot be read.* Write its data to a file`)),
})

describe.skipIf(process.platform === 'win32')('what only looks like a file', () => {
  test.each([
    [pipe, 'a pipe'],
    [link, 'a pipe'],
    [socket, 'a socket'],
    ['/dev/zero', 'a device'],
  ])('is refused at once as a database: %s', async (path, kind) => {
    await expect(makeSqliteConnector({ file: path })).rejects.toMatchObject(refused(kind))
    await expect(makeDuckdbConnector({ path })).rejects.toMatchObject(refused(kind))
  })

  test('is refused among files of data', async () => {
    await expect(makeDuckdbConnector({ path: csvPipe })).rejects.toMatchObject(refused('a pipe'))
    await expect(makeDuckdbConnector({ path: join(folder, 'data') })).rejects.toMatchObject(refused('a pipe'))
  })

  test('is not opened to find out which kind of database it is', async () => {
    expect(await toAddress(pipe, { baseFolder: folder, home: folder })).toBe(`sqlite:${pipe}`)
  })
})
