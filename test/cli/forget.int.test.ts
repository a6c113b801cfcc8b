import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAuditFile, readAuditFiles } from '../../src/store/audit-file/audit-file.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { collect } from '../helpers/collect.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { makeRecord } from '../store/audit-file/make-record.ts'
import { insertPerson, person } from '../store/setup/insert-person.ts'

let folder: string

let store: TestDatabase

let client: Client

const forget = (...args: string[]) =>
  runCli(['forget', ...args], { folder, home: join(folder, 'home'), env: { DATABASE_URL: store.url } })

const asked = async (): Promise<number> =>
  (await client.query('select count(*)::int as n from querent.questions where asked_by = $1', [person]))
    .rows[0].n

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  store = await createTestDatabase({ migrated: true })
  client = new Client({ connectionString: store.url })
  await client.connect()
  await insertPerson(client)
})

afterAll(async () => {
  await client?.end()
  await store?.drop()
  rmSync(folder, { recursive: true })
})

describe('forget', () => {
  it('shows what there is, and changes nothing where nobody can be asked', async () => {
    const shown = await forget('--person', person)
    expect(shown.status).toBe(0)
    expect(shown.out).toMatch(/^Querent keeps about U0FORGET1:\n +1 {2}questions, with their answers/)
    expect(shown.out).toContain('statements in the audit log: will be kept under a random name')
    expect(shown.out).toMatch(/Nothing was changed\. Add --yes to delete without being asked\.\n$/)
    const json = await forget('--person', person, '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      person,
      forgotten: false,
      rows: { questions: 1, digests: 2 },
    })
    expect(await asked()).toBe(1)
  })

  it('does it with --yes, and then finds nothing', async () => {
    const audit = join(folder, 'home', 'audit')
    const record = makeRecord({ person, sql: `select '${person}'` })
    await makeAuditFile(audit, { purgeBefore: () => null }).insert([record])
    const done = await forget('--person', person, '--yes', '--json')
    expect(JSON.parse(done.out)).toMatchObject({
      person,
      forgotten: true,
      rows: { questions: 1, digests: 2 },
    })
    expect(await asked()).toBe(0)
    const kept = await client.query("select person from querent.audit_log where person like 'forgotten-%'")
    const [inFile] = await collect(readAuditFiles(audit, {}))
    // The same name in both: what one person ran stays together.
    expect(inFile).toEqual({ ...record, person: kept.rows[0].person, sql: "select 'UXXXXXXXX'" })
    expect((await forget('--person', person, '--yes')).out).toBe(`Querent keeps nothing about ${person}.\n`)
  })

  it('says what an id is', async () => {
    const wrong = await forget('--person', 'Jane Doe', '--yes')
    expect(wrong.status).toBe(2)
    expect(wrong.err).toContain('U012AB3CD')
    expect((await forget('--yes')).status).toBe(2)
  })
})
