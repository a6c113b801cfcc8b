import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts'
import { startServerOwner } from './start-server-owner.ts'

const isRoot = process.getuid?.() === 0

const NOBODY = 65534

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const isUp = (url: string): Promise<boolean> =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  )

const postmasterPid = async (folder: string): Promise<number> =>
  Number((await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])

describe('the embedded server', { timeout: 60_000 }, () => {
  // Closed to everybody else, as a fresh clone under `mktemp -d` is.
  let home = ''
  let folder = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'querent-embedded-'))
    const server = await startEmbeddedServer({ home, durable: false })
    folder = server.folder
    await query(server.adminUrl, 'create table kept (word text)')
    await query(server.adminUrl, `insert into kept values ('word')`)
    await server.stop()
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
  })

  it('stops when its last user stops, and keeps its data', async () => {
    const server = await startEmbeddedServer({ home, durable: false })
    expect(server.owner).toBe('started')
    expect(server.folder).toBe(folder)
    expect(await query(server.adminUrl, 'select word from kept')).toEqual([{ word: 'word' }])
    await server.stop()
    await server.stop()
    expect(await isUp(server.adminUrl)).toBe(false)
  })

  it('runs in the background of nobody: it is not root, and listens to this machine alone', async () => {
    const server = await startEmbeddedServer({ home, durable: false })
    const data = await stat(join(folder, 'data'))
    expect(data.uid === 0).toBe(false)
    expect(data.mode & 0o077).toBe(0)
    expect((await stat(join(folder, 'password'))).mode & 0o077).toBe(0)
    const listens = await query(server.adminUrl, 'show listen_addresses')
    expect(listens).toEqual([{ listen_addresses: '127.0.0.1' }])
    const wrong = new URL(server.adminUrl)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await server.stop()
  })

  it('has a URL for each of its databases', async () => {
    const server = await startEmbeddedServer({ home, durable: false })
    await query(server.adminUrl, 'create database "my data"')
    const named = await query(server.urlFor('my data'), 'select current_database() as name')
    expect(named).toEqual([{ name: 'my data' }])
    await query(server.adminUrl, 'drop database "my data"')
    await server.stop()
  })

  it('is started by one of several processes that race for it', async () => {
    const holders = await Promise.all(Array.from({ length: 4 }, () => startServerOwner(home)))
    expect(holders.map(({ owner }) => owner).sort()).toEqual(['attached', 'attached', 'attached', 'started'])
    expect(new Set(holders.map(({ adminUrl }) => adminUrl)).size).toBe(1)
    await Promise.all(holders.map(holder => holder.stop()))
    expect(await isUp(holders[0]?.adminUrl ?? '')).toBe(false)
  })

  it('stays up for the others when the one that started it stops', async () => {
    const starter = await startServerOwner(home)
    const server = await startEmbeddedServer({ home, durable: false })
    expect([starter.owner, server.owner]).toEqual(['started', 'attached'])
    await starter.stop()
    expect(await isUp(server.adminUrl)).toBe(true)
    await server.stop()
    expect(await isUp(server.adminUrl)).toBe(false)
  })

  it('whose starter was killed is taken over by the next', async () => {
    const starter = await startServerOwner(home)
    await starter.kill()
    expect(await isUp(starter.adminUrl)).toBe(true)
    const server = await startEmbeddedServer({ home, durable: false })
    expect(server.owner).toBe('attached')
    expect(server.adminUrl).toBe(starter.adminUrl)
    await server.stop()
    expect(await isUp(server.adminUrl)).toBe(false)
  })

  it('that was killed itself is started again, with all that was committed', async () => {
    const first = await startEmbeddedServer({ home })
    await query(first.adminUrl, `insert into kept values ('before the crash')`)
    process.kill(await postmasterPid(folder), 'SIGKILL')
    const second = await startEmbeddedServer({ home, durable: false })
    expect(second.owner).toBe('started')
    expect(await query(second.adminUrl, 'select count(*)::int as words from kept')).toEqual([{ words: 2 }])
    await first.stop()
    expect(await isUp(second.adminUrl)).toBe(true)
    await second.stop()
    expect(await isUp(second.adminUrl)).toBe(false)
  })

  it('that was killed is started again for those who use it, at the same address', async () => {
    const server = await startEmbeddedServer({ home })
    const other = await startServerOwner(home)
    await query(server.adminUrl, `insert into kept values ('before the second crash')`)
    const before = await postmasterPid(folder)
    process.kill(before, 'SIGKILL')
    await expect.poll(() => isUp(server.adminUrl), { timeout: 40_000, interval: 200 }).toBe(true)
    expect(await postmasterPid(folder)).not.toBe(before)
    expect(other.adminUrl).toBe(server.adminUrl)
    expect(
      await query(server.adminUrl, `select count(*)::int as words from kept where word like '%second%'`),
    ).toEqual([{ words: 1 }])
    await other.stop()
    await server.stop()
    expect(await isUp(server.adminUrl)).toBe(false)
  })

  it('with a password that is no longer that of its file refuses the password of its file', async () => {
    const server = await startEmbeddedServer({ home, durable: false })
    const file = join(folder, 'password')
    const password = await readFile(file, 'utf8')
    await writeFile(file, 'another\n')
    await expect(startEmbeddedServer({ home, durable: false })).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('refuses the password of its file'),
    })
    await writeFile(file, password)
    await server.stop()
    expect(await isUp(server.adminUrl)).toBe(false)
  })

  it('does not take a process that came by its number for itself', async () => {
    const file = join(folder, 'data', 'postmaster.pid')
    const lines = [String(process.pid), join(folder, 'data'), '0', '1', '', '127.0.0.1', '', 'ready   ', '']
    await writeFile(file, lines.join('\n'))
    const server = await startEmbeddedServer({ home, durable: false })
    expect(server.owner).toBe('started')
    await server.stop()
  })
})

describe('an embedded server that cannot be used', { timeout: 60_000 }, () => {
  let home = ''
  let folder = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'querent-embedded-'))
    const server = await startEmbeddedServer({ home, durable: false })
    folder = server.folder
    await server.stop()
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
  })

  /** What starting says while a file of the server holds something else, or (null) is gone. */
  const startWith = async (file: string, content: string | null): Promise<unknown> => {
    const path = join(folder, file)
    const before = await readFile(path)
    if (content === null) await rm(path)
    else await writeFile(path, content)
    try {
      return await startEmbeddedServer({ home, durable: false }).catch((error: unknown) => error)
    } finally {
      await writeFile(path, before)
    }
  }

  it('because another major version made its data says which two', async () => {
    const failure = await startWith('data/PG_VERSION', '15\n')
    expect(failure).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringMatching(/Postgres 15.* Postgres 18.*DATABASE_URL/),
    })
  })

  it('because its password is gone says what to do', async () => {
    const failure = await startWith('password', null)
    expect(failure).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('password is missing'),
    })
  })

  it('because its password is another leaves no server behind', async () => {
    const failure = await startWith('password', 'another\n')
    expect(failure).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('refuses the password of its file'),
    })
    const running = await promisify(execFile)('ps', ['-eo', 'args'])
    expect(running.stdout).not.toContain(join(folder, 'data'))
  })

  it('because Postgres refuses to start quotes its log', async () => {
    const failure = await startWith('data/postgresql.conf', 'nonsense\n')
    expect(failure).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('syntax error in file'),
    })
  })
})

describe.skipIf(!isRoot)('under root', () => {
  it('refuses a folder in /var/tmp that somebody else made', async () => {
    const home = await mkdtemp(join(tmpdir(), 'querent-embedded-'))
    const server = await startEmbeddedServer({ home, durable: false })
    await server.stop()
    await rm(server.folder, { recursive: true })
    await mkdir(server.folder)
    await chown(server.folder, NOBODY, NOBODY)
    await expect(startEmbeddedServer({ home })).rejects.toMatchObject({ code: 'store-unavailable' })
    await rm(server.folder, { recursive: true })
    await rm(home, { recursive: true })
  })

  it('serves an ordinary user too, from inside that user’s own folder', {
    timeout: 60_000,
  }, async context => {
    const home = await mkdtemp(join(tmpdir(), 'querent-embedded-'))
    await chown(home, NOBODY, NOBODY)
    try {
      const user = { uid: NOBODY, gid: NOBODY, cwd: '/', env: {} }
      const holder = await startServerOwner(join(home, '.querent'), user).catch((error: Error) => error)
      if (holder instanceof Error && /EACCES|Cannot find module/.test(holder.message)) {
        return context.skip('the checkout, or its Node, is closed to other users')
      }
      if (holder instanceof Error) throw holder
      expect(holder.folder).toBe(join(await realpath(home), '.querent', 'postgres'))
      expect((await stat(join(holder.folder, 'data'))).uid).toBe(NOBODY)
      expect(await isUp(holder.adminUrl)).toBe(true)
      await holder.stop()
      expect(await isUp(holder.adminUrl)).toBe(false)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})
