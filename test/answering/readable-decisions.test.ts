import { describe, expect, it } from 'vitest'
import { makeFindReader } from '../../src/access/find-reader.ts'
import { readableAdminFacts } from '../../src/answering/readable.ts'
import type { DatabaseAccess } from '../../src/domain/access/access.ts'
import type { AdminFacts } from '../../src/domain/home.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'

/** In every text that comes from rows. */
const secret = 'Northwind'

const facts = {
  databases: ['crm'],
  verified: {
    accepted: 1,
    proposed: [
      {
        ...{ id: 'v1', database: 'crm', slots: [], staleness: null, lastRun: null },
        question: `How many deals does ${secret} have?`,
        sql: `select count(*) from deals where account = '${secret}' -- ${secret}`,
      },
    ],
    stale: [
      {
        ...{ id: 'v2', database: 'crm', slots: [], lastRun: { status: 'broken', reason: secret } },
        question: `deals of ${secret}?`,
        sql: 'select 1 from deals where account_id = 42',
        staleness: { since: new Date(0), reasons: [`it no longer runs: ${secret}`] },
      },
    ],
  },
  rules: [
    {
      ...{ id: 'r1', database: 'crm', phrase: secret, question: secret, columns: [] },
      ...{ meaning: `account is ${secret}`, sql: `account = '${secret}'` },
    },
    {
      id: 'r2',
      database: 'crm',
      phrase: 'stage',
      question: '?',
      columns: ['deals.stage'],
      meaning: 'stage',
      sql: null,
    },
  ],
  proposals: [
    { database: 'crm', kind: 'segment', name: 's', label: secret, synonyms: [secret], meaning: secret },
    { database: 'crm', kind: 'metric', name: 'm', label: 'Amount', synonyms: [], meaning: 'sum of amount' },
  ],
  failed: [{ id: 'q', text: secret, reason: secret, database: 'crm@0123456789abcdef' }],
  dead: { total: 1, jobs: [{ id: 'j', reason: secret }] },
} as unknown as AdminFacts

const readAs = (access: DatabaseAccess | Error) =>
  readableAdminFacts(
    facts,
    { person: 'U1', team: 'T1' },
    {
      findReader: makeFindReader({
        databaseAccess: async () => {
          if (access instanceof Error) throw access
          return access
        },
        log: silentLog,
      }),
      dialectOf: () => 'postgres',
    },
  )

const restricted = (key: string) => ({ kind: 'restricted', rights: { key } }) as DatabaseAccess

describe('what an admin decides about', () => {
  it('is whole for one who sees everything', async () => {
    expect(await readAs({ kind: 'open', group: null })).toEqual(facts)
  })

  it.each([
    ['sees other rows', restricted('fedcba9876543210')],
    ['sees no rows', { kind: 'closed', reason: 'no group' } as const],
    ['is not known now', new Error('Slack is away')],
  ])('has no value of rows for one who %s', async (_who, access) => {
    const shown = await readAs(access)
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(shown.verified.proposed[0]?.sql).toBe("select count(*) from deals where account = '...'")
    expect(shown.verified.proposed[0]?.question).toBe('How many deals does ... have?')
    expect(shown.rules[1]).toEqual({ ...facts.rules[1], question: '...' })
    expect(shown.proposals?.[1]).toEqual(facts.proposals?.[1])
  })

  it('shows questions of people with the same rights', async () => {
    const { failed } = await readAs(restricted('0123456789abcdef'))
    expect(failed).toEqual(facts.failed)
  })
})
