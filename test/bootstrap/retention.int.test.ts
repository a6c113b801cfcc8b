import { Client } from 'pg'
import { expect, it } from 'vitest'
import { makePurgeByAge } from '../../src/store/retention.ts'
import { insertPerson, other, person, questionOf } from '../store/setup/insert-person.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

const now = new Date('2026-06-01T00:00:00Z')

const keepAll = { questionDays: null, resultDays: 7, usageDays: null, auditDays: null, digestRunDays: null }

it('deletes what is older than the configuration says, and keeps what is learned and verified', async () => {
  await using opened = await openTestStore()
  const client = new Client({ connectionString: opened.url })
  await client.connect()
  const count = async (from: string): Promise<number> =>
    (await client.query(`select count(*)::int as n from ${from}`)).rows[0].n
  const threads: string[] = []
  const filesBefore: string[] = []
  const purge = (retention: Partial<typeof keepAll> | Record<string, number>) =>
    makePurgeByAge(opened.store.repositories, {
      retention: { ...keepAll, ...retention },
      forgetThread: async id => void threads.push(id),
      purgeAuditFiles: async before => filesBefore.push(before.toISOString()),
      now: () => now,
    })()
  try {
    await insertPerson(client)
    // One question is 100 days old, with 250 more; the other is 10 days old.
    await client.query(`
      insert into querent.questions (id, key, text, database, status, time_zone, asked_at)
      select gen_random_uuid(), 'old ' || n, 'old', 'shop', 'failed', 'UTC', now() from generate_series(1, 250) as n`)
    await client.query(`
      update querent.questions set updated_at = '2026-02-21' where id <> '${questionOf.other}';
      update querent.questions set updated_at = '2026-05-22' where id = '${questionOf.other}';
      update querent.audit_log set at = '2026-02-21' where person = '${person}';
      update querent.audit_log set at = '2026-05-22' where person = '${other}';
      update querent.digest_runs set scheduled_for = '2026-02-21', claimed_at = '2026-02-21',
        ended_at = '2026-02-21', outcome = 'posted' where digest_id = '${questionOf.person}';
    `)
    expect(await purge({})).toEqual({ questions: 0, usage: 0, statements: 0, auditFiles: 0, digestRuns: 0 })
    expect(await count('querent.questions')).toBe(252)

    const purged = await purge({ questionDays: 30, auditDays: 30, digestRunDays: 30, usageDays: 30 })
    expect(purged).toEqual({ questions: 251, usage: 5, statements: 1, auditFiles: 1, digestRuns: 1 })
    expect(filesBefore).toEqual(['2026-05-02T00:00:00.000Z'])
    expect(threads).toHaveLength(251)
    expect(await count('querent.questions')).toBe(1)
    expect(await count('querent.answers')).toBe(1)
    expect(await count('querent.audit_log')).toBe(1)
    // A run that has not ended is not over, however old it is.
    expect(await count('querent.digest_runs where ended_at is null')).toBe(1)
    expect(await count('querent.digests')).toBe(3)
    expect(await count('querent.verified_queries')).toBe(1)
    expect(await count('querent.proposed_rules')).toBe(1)
    expect(await count('querent.expert_weights')).toBe(1)
    expect(await count('querent.selector_versions')).toBe(1)
  } finally {
    await client.end()
  }
})
