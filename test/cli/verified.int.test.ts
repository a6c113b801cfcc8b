import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'

let folder: string
let store: TestDatabase

const run = async (...args: string[]) => {
  const env = { DATABASE_URL: store.url }
  return runCli([...args, '--json'], { folder, home: join(folder, 'home'), env })
}

/** As somebody else does to the file, or to the store. */
const inBoats = (statement: string): void => {
  const file = new DatabaseSync(join(folder, 'boats.sqlite'))
  file.exec(statement)
  file.close()
}
const inStore = async (statement: string, values: readonly unknown[]): Promise<void> => {
  const client = new Client({ connectionString: store.url })
  await client.connect()
  await client.query(statement, [...values])
  await client.end()
}

const database = ['--database', 'sqlite:boats.sqlite'] as const

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  store = await createTestDatabase()
  const file = new DatabaseSync(join(folder, 'boats.sqlite'))
  file.exec(`
    create table boats (id integer primary key, name text, home_port text, length_m real);
    insert into boats values (1, 'Alba', 'Kiel', 9.5), (2, 'Brisa', 'Kiel', 12), (3, 'Cyan', 'Bergen', 7);
  `)
  file.close()
  writeFileSync(
    join(folder, 'long.sql'),
    "select name from boats where home_port = 'Kiel' and length_m > 10;\n",
  )
})

afterAll(async () => {
  await store?.drop()
  rmSync(folder, { recursive: true })
})

describe('verified', { timeout: 240_000 }, () => {
  it('is proposed, accepted, answered from, and removed', async () => {
    const question = 'Which boats from Kiel are longer than 10 m?'
    const added = await run('verified', 'add', question, '--file', 'long.sql', ...database)
    expect(added.status).toBe(0)
    const query = JSON.parse(added.out)
    expect(query).toMatchObject({
      database: 'sqlite:boats.sqlite',
      question,
      status: 'proposed',
      rowCount: 1,
      replaceable: [
        { kind: 'value', said: 'Kiel' },
        { kind: 'number', said: '10' },
      ],
    })
    const drafts = async () => {
      const { out } = await run('ask', 'Which boats from Bergen are longer than six m?', ...database)
      return JSON.parse(out).candidates.filter(
        (candidate: { path: string }) => candidate.path === 'verified-example',
      )
    }
    expect(await drafts()).toEqual([])
    const accepted = await run('verified', 'accept', query.id.slice(0, 8))
    expect(JSON.parse(accepted.out)).toMatchObject({ id: query.id, status: 'accepted' })
    expect(await drafts()).toMatchObject([
      { sql: "select name from boats where home_port = 'Bergen' and length_m > 6", error: null },
    ])
    const removed = await run('verified', 'remove', query.id)
    expect(JSON.parse(removed.out)).toMatchObject({ status: 'removed' })
    expect(await drafts()).toEqual([])
    expect(JSON.parse((await run('verified', 'list')).out)).toEqual([])
    expect(JSON.parse((await run('verified', 'list', '--status', 'removed')).out)).toMatchObject([
      { id: query.id },
    ])
  })

  it('takes nothing that the guard refuses or that does not run, and one accepted query a question', async () => {
    const add = (sql: string) =>
      run('verified', 'add', 'How many boats?', '--sql', sql, '--accept', ...database)
    const written = await add('drop table boats')
    expect(written.status).toBe(1)
    expect(JSON.parse(written.out)).toMatchObject({
      status: 'unfit',
      reason: expect.stringContaining('DROP'),
    })
    expect(JSON.parse((await add('select x from boats')).out)).toMatchObject({ status: 'unfit' })
    expect((await add('select count(*) from boats')).status).toBe(0)
    expect(JSON.parse((await add('select 3')).out)).toMatchObject({ status: 'taken' })
  })

  it('shows what went stale and why, and is accepted again only when it runs', async () => {
    const question = 'How long is the longest boat?'
    const sql = 'select max(length_m) from boats'
    const added = await run('verified', 'add', question, '--sql', sql, '--accept', ...database)
    const { id } = JSON.parse(added.out)
    await inStore(
      `update querent.verified_queries set status = 'stale', stale_since = '2026-11-20T12:00:00Z',
         stale_reasons = '["the column boats.length_m is gone"]',
         last_run = '{"status": "broken", "at": "2026-11-20T12:00:00Z", "reason": "no such column: length_m"}'
       where id = $1`,
      [id],
    )
    inBoats('alter table boats rename column length_m to metres')
    expect(JSON.parse((await run('verified', 'list', '--status', 'stale')).out)).toMatchObject([
      {
        id,
        status: 'stale',
        staleSince: '2026-11-20T12:00:00.000Z',
        staleReasons: ['the column boats.length_m is gone'],
        lastRun: { status: 'broken', at: '2026-11-20T12:00:00.000Z' },
      },
    ])
    const table = await runCli(['verified', 'list'], {
      folder,
      home: join(folder, 'home'),
      env: { DATABASE_URL: store.url },
    })
    expect(table.out).toContain('2026-11-20: failed')
    expect(table.out).toContain(`${id.slice(0, 8)} is stale: the column boats.length_m is gone.`)
    const refused = await run('verified', 'accept', id)
    expect(refused.status).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({
      status: 'unfit',
      reason: expect.stringContaining('length_m'),
    })
    inBoats('alter table boats rename column metres to length_m')
    expect(JSON.parse((await run('verified', 'accept', id)).out)).toMatchObject({ id, status: 'accepted' })
    const listed = JSON.parse((await run('verified', 'list', '--status', 'accepted')).out)
    expect(listed.find((query: { id: string }) => query.id === id)).toMatchObject({
      lastRun: { status: 'ran', rowCount: 1 },
      staleReasons: [],
    })
  })

  it.each([
    [['verified', 'add', 'How many?']],
    [['verified', 'add', 'How many?', '--sql', 'select 1', '--file', 'long.sql']],
    [['verified', 'add', 'How many?', '--file', 'missing.sql']],
    [['verified', 'accept', 'not-an-id']],
    [['verified', 'remove', '00000000']],
    [['verified', 'list', '--status', 'odd']],
  ])('exits with 2 for wrong arguments: %j', async args => {
    const { status, out, err } = await run(...args)
    expect(status).toBe(2)
    expect(out).toBe('')
    expect(err.trim()).not.toBe('')
  })
})
