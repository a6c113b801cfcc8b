import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRunProbe } from '../../../graphs/answer/nodes/compare-groups.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { probePair } from '../../../src/ranking/probes/probe-pair.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'

let server: TestDatabase

let opened: OpenDatabase

beforeAll(async () => {
  server = await createTestDatabase()
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`
    create schema yard;
    create table yard."Boats" (id integer primary key, name text, home_port text, length_m numeric);
    insert into yard."Boats" values (1, 'Alba', 'Kiel', 9.5), (2, 'Brisa', 'Kiel', 12), (3, 'Cyan', 'Bergen', 12);
  `)
  await client.end()
  opened = await openDatabase(
    { dialect: 'postgres', name: 'yard', location: server.url },
    { audit: silentAudit, guard: makeGuard(), limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } },
  )
})

afterAll(async () => {
  await opened?.close()
  await server?.drop()
})

const tell = async (question: string, one: string, other: string) => {
  const { database } = opened
  const run = makeRunProbe(database, {})
  const side = async (sql: string) => ({ sql, result: (await run(sql))! })
  return probePair({
    ...{ question, catalog: database.catalog, run: makeRunProbe(database, {}) },
    first: await side(one),
    second: await side(other),
  })
}

describe('probing a pair in Postgres', () => {
  it('looks a text up where names need quotes and a schema', async () => {
    expect(
      await tell(
        'How many boats are not from Kiel?',
        `select count(*) from yard."Boats" where home_port <> 'kiel'`,
        `select count(*) from yard."Boats" where home_port <> 'Kiel'`,
      ),
    ).toMatchObject({ winner: 'second', reason: expect.stringMatching(/^looked up whether “kiel”/) })
  })

  it('looks whether several rows tie for the top', async () => {
    expect(
      await tell(
        'What are the names of the longest boats?',
        'select name from yard."Boats" order by length_m desc limit 1',
        'select name from yard."Boats" where length_m = (select max(length_m) from yard."Boats")',
      ),
    ).toEqual({ winner: 'second', reason: 'looked up whether several rows tie for the top' })
  })
})
