import { Client } from 'pg'
import { expect, it } from 'vitest'
import { makeDigestAskAgain } from '../../../src/bootstrap/digests/use-cases.ts'
import type { DigestQuestion } from '../../../src/domain/digests/digest.ts'
import { openApp } from '../../helpers/open-app.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { digestOf } from '../../slack/listeners/digest-of.ts'

const questionOf = (text: string): DigestQuestion => ({
  ...{ id: 'q1', text, database: 'asked', fingerprint: 'f' },
  statement: { sql: 'select nothing', today: '2026-03-02', periods: [] },
})

it('asks a digest question on the current schema, on the account of the payer', async () => {
  await using storage = await createTestDatabase({ migrated: true })
  const { file, remove } =
    makeSqliteFile(`create table bicycles (id integer primary key, model text, kind text);
    insert into bicycles values (1, 'Alba', 'cargo'), (2, 'Brisa', 'folding'), (3, 'Cyan', 'cargo');`)
  try {
    await using app = await openApp(file, { baseUrl: 'http://127.0.0.1:9', storeUrl: storage.url })
    const own = await app.resources.ownStore()
    const askAnew = makeDigestAskAgain(app.resources, own, { now: () => new Date('2026-03-02T10:00:00Z') })
    const digest = digestOf({ owner: 'U0ADA0001' })
    const paidBy = 'U0ADMIN01'
    const anew = await askAnew(questionOf('how many bicycles are there per kind?'), { digest, paidBy })
    expect(anew?.statement.sql).toMatch(/kind/i)
    expect(anew?.statement.sql).toMatch(/count/i)
    expect(await askAnew(questionOf('how many submarines sank last year?'), { digest, paidBy })).toBeNull()
    const client = new Client({ connectionString: storage.url })
    await client.connect()
    const asked = await client
      .query('select asked_by, status from querent.questions order by status')
      .finally(() => client.end())
    expect(asked.rows).toEqual([
      { asked_by: 'U0ADA0001', status: 'answered' },
      { asked_by: 'U0ADA0001', status: 'refused' },
    ])
    const sent = await own.store.repositories.auditLog.page({}, { after: null, most: 100 })
    const ran = sent.filter(({ kind, questionId }) => kind === 'run' && questionId !== null)
    expect(ran.length).toBeGreaterThan(0)
    const { id: digestId, team } = digest
    for (const statement of ran)
      expect(statement).toMatchObject({
        ...{ origin: 'digest', person: paidBy, team, digestId },
        channel: digest.target.kind === 'channel' ? digest.target.channel : '',
      })
  } finally {
    remove()
  }
})
