import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StatementRecord } from '../../src/domain/operations/audit.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeAuditFile } from '../../src/store/audit-file/audit-file.ts'
import { makeStore } from '../../src/store/store.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-audit-'))

let database: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  database = await createTestDatabase({ on: 'embedded', migrated: true })
  const store = makeStore({ url: database.url, resultKey })
  await store.repositories.auditLog.insert([
    recordOf(1, { person: 'U1', sql: 'select 1' }),
    recordOf(2, { person: 'U2', sql: '=1+1', verdict: 'refused', reason: 'not a query', rows: null }),
    recordOf(3, { person: 'U1', sql: 'select "a, b"', database: 'other' }),
    ...Array.from({ length: 1_200 }, (_, i) => recordOf(5, { person: 'U9', sql: `select ${i}` })),
  ])
  await store.close()
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

const recordOf = (day: number, given: Partial<StatementRecord>): StatementRecord => ({
  id: crypto.randomUUID(),
  at: new Date(`2026-03-0${day}T12:00:00Z`),
  ...{
    origin: 'question',
    person: null,
    team: 'T1',
    channel: 'C1',
    questionId: 'q1',
    digestId: null,
    command: null,
  },
  ...{ database: 'shop', dialect: 'postgres', kind: 'run', verdict: 'ran', errorClass: null, reason: null },
  ...{ sql: 'select 1', rows: 1, bytes: 8, milliseconds: 1.5 },
  ...given,
})

const exported = async (...args: readonly string[]) =>
  runCli(['audit', 'export', ...args], { folder, home: folder, env: { DATABASE_URL: database.url } })

const objects = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

describe('audit export', () => {
  it('writes a line a statement, the oldest first, however many there are', async () => {
    const { status, out, err } = await exported()
    expect([status, err]).toEqual([0, ''])
    const rows = objects(out)
    expect(rows).toHaveLength(1_203)
    expect(rows[0]).toMatchObject({
      at: '2026-03-01T12:00:00.000Z',
      ...{ person: 'U1', sql: 'select 1', verdict: 'ran', rows: 1, questionId: 'q1' },
    })
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1_203)
  })

  it('takes those of a person, of a database and of a stretch of days', async () => {
    const sqlOf = async (...args: readonly string[]) =>
      objects((await exported(...args)).out).map(({ sql }) => sql)
    expect(await sqlOf('--person', 'U1')).toEqual(['select 1', 'select "a, b"'])
    expect(await sqlOf('--database', 'other')).toEqual(['select "a, b"'])
    expect(await sqlOf('--since', '2026-03-02', '--until', '2026-03-02')).toEqual(['=1+1'])
  })

  it('puts what is in files between what is in the store, in order of time and with the same fields', async () => {
    const home = join(folder, 'shell')
    const file = makeAuditFile(join(home, 'audit'), { purgeBefore: () => null })
    const shell = {
      person: 'ada',
      team: null,
      channel: null,
      command: 'querent ask',
      questionId: null,
    } as const
    const [before, between] = [
      recordOf(1, { ...shell, at: new Date('2026-03-01T11:00:00Z'), origin: 'index', sql: 'select 11' }),
      recordOf(2, { ...shell, at: new Date('2026-03-02T13:00:00Z'), origin: 'command', sql: 'select 13' }),
    ]
    await file.insert([between, before])
    const rows = async (...args: readonly string[]) => {
      const place = { folder, home, env: { DATABASE_URL: database.url } }
      return objects((await runCli(['audit', 'export', '--until', '2026-03-03', ...args], place)).out)
    }
    const all = await rows()
    expect(all.map(({ sql }) => sql)).toEqual(['select 11', 'select 1', '=1+1', 'select 13', 'select "a, b"'])
    expect(all[3]).toEqual({ ...between, at: between.at.toISOString() })
    expect(new Set(all.map(row => Object.keys(row).join(','))).size).toBe(1)
    const sqlOf = async (...args: readonly string[]) => (await rows(...args)).map(({ sql }) => sql)
    expect(await sqlOf('--since', '2026-03-02')).toEqual(['=1+1', 'select 13', 'select "a, b"'])
    expect(await sqlOf('--person', 'ada')).toEqual(['select 11', 'select 13'])
    expect(await sqlOf('--origin', 'question,command')).toEqual([
      'select 1',
      '=1+1',
      'select 13',
      'select "a, b"',
    ])
  })

  it('defuses what a spreadsheet would run', async () => {
    const { out } = await exported('--format', 'csv', '--until', '2026-03-03')
    const [header, , second, third] = out.split('\n')
    expect(header).toMatch(/^at,origin,person,.*,sql,id$/)
    expect(second).toContain(",'=1+1,")
    expect(third).toContain(',"select ""a, b""",')
  })

  it('writes one JSON value with --json', async () => {
    expect(JSON.parse((await exported('--json', '--person', 'U1')).out)).toHaveLength(2)
    expect(JSON.parse((await exported('--json', '--person', 'nobody')).out)).toEqual([])
  })

  it('says which databases there are where the name is of none, and writes nothing', async () => {
    const { status, out, err } = await exported('--database', 'shopp', '--json')
    expect([status, out]).toEqual([2, ''])
    expect(err).toBe(
      '--database: neither querent.yml nor the audit log has a database “shopp”. Known databases: other, shop.\n',
    )
    // Nothing was run on it yet, but it is one.
    expect(await exported('--database', 'sample-company', '--json')).toMatchObject({ status: 0, out: '[]\n' })
  })

  it('knows the databases of files too', async () => {
    const home = join(folder, 'files')
    await makeAuditFile(join(home, 'audit'), { purgeBefore: () => null }).insert([
      recordOf(4, { database: 'cycles', sql: 'select 4' }),
    ])
    const place = { folder, home, env: { DATABASE_URL: database.url } }
    const found = await runCli(['audit', 'export', '--database', 'cycles'], place)
    expect(objects(found.out).map(({ sql }) => sql)).toEqual(['select 4'])
    expect((await runCli(['audit', 'export', '--database', 'cycle'], place)).err).toContain(
      'Known databases: cycles, other, shop.',
    )
  })

  it.each([
    [['--format', 'xml'], 'jsonl or csv'],
    [['--since', 'yesterday'], '2026-03-31'],
    [['--since', '2026-03-02', '--until', '2026-03-01'], 'must be before'],
    [['--format', 'csv', '--json'], 'either'],
    [['--origin', 'question,people'], '“people”'],
  ])('says what is wrong with %j', async (args, said) => {
    const { status, err } = await exported(...args)
    expect(status).toBe(2)
    expect(err).toContain(said)
  })
})
