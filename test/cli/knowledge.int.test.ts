import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProposedRule } from '../../src/domain/knowledge.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore } from '../../src/store/store.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'

let folder: string

let database: TestDatabase

const run = (...args: string[]) =>
  runCli([...args, '--json'], { folder, home: join(folder, 'home'), env: { DATABASE_URL: database.url } })

const rule: ProposedRule = {
  id: 'c0ffee00-0000-4000-8000-000000000001',
  database: 'sqlite:boats.sqlite',
  questionId: crypto.randomUUID(),
  question: 'How many boats are from abroad?',
  phrase: 'foreigners',
  meaning: 'home port is Bergen',
  sql: "boats.home_port = 'Bergen'",
  columns: ['boats.home_port'],
  status: 'proposed',
  proposedBy: 'ada',
  proposedAt: new Date('2026-11-20T12:00:00Z'),
  decidedBy: null,
  decidedAt: null,
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  database = await createTestDatabase({ migrated: true })
  const file = new DatabaseSync(join(folder, 'boats.sqlite'))
  file.exec(`
    create table boats (id integer primary key, name text, home_port text);
    insert into boats values (1, 'Alba', 'Kiel'), (2, 'Brisa', 'Kiel'), (3, 'Cyan', 'Bergen');
  `)
  file.close()
  const store = makeStore({ url: database.url, resultKey })
  await store.repositories.proposedRules.insert(rule)
  await store.close()
})

afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true })
})

const ask = async () => {
  const { out } = await run('ask', 'how many foreigners?', '--database', 'sqlite:boats.sqlite')
  return JSON.parse(out)
}

describe('knowledge', { timeout: 120_000 }, () => {
  it('is proposed, used once accepted, and used no more once rejected', async () => {
    const proposed = await run('knowledge', 'proposed')
    expect(JSON.parse(proposed.out)).toEqual([
      expect.objectContaining({
        id: rule.id,
        phrase: 'foreigners',
        meaning: 'home port is Bergen',
        status: 'proposed',
      }),
    ])
    expect((await ask()).rows).not.toEqual([[1]])

    const accepted = await run('knowledge', 'accept', 'c0ffee')
    expect(JSON.parse(accepted.out)).toMatchObject({ status: 'accepted' })
    expect(await ask()).toMatchObject({ status: 'answered', rows: [[1]] })
    expect(JSON.parse((await run('knowledge', 'proposed')).out)).toEqual([])

    expect(JSON.parse((await run('knowledge', 'reject', 'c0ffee')).out)).toMatchObject({ status: 'rejected' })
    expect((await ask()).rows).not.toEqual([[1]])
    const rejected = await run(
      'knowledge',
      'proposed',
      '--status',
      'rejected',
      '--database',
      'sqlite:boats.sqlite',
    )
    expect(JSON.parse(rejected.out)).toHaveLength(1)
  })

  it.each([
    [['accept', 'beef'], 'There is no rule beef.'],
    [['accept', 'x'], 'is not an id'],
    [['proposed', '--status', 'new'], '--status must be proposed, accepted or rejected'],
  ])('says what is wrong with %s', async (args, said) => {
    const wrong = await run('knowledge', ...args)
    expect(wrong.status).toBe(2)
    expect(wrong.err).toContain(said)
  })
})
