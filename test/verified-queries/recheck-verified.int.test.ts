import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { touchedTables } from '../../graphs/answer/verified/read-verified.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { JobData } from '../../src/domain/operations/jobs.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import type { VerifiedQuery } from '../../src/domain/verified-query.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import type { Store } from '../../src/store/store.ts'
import {
  makeRecheckVerified,
  makeSendDueRechecks,
  makeTryVerified,
} from '../../src/verified-queries/recheck-verified.ts'
import { makeAskVerifiedOwner, makeResolveStaleVerified } from '../../src/verified-queries/resolve-stale.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** The store and the database that is asked are both real Postgres databases, made for this file. */
let opened: Awaited<ReturnType<typeof openTestStore>>

let store: Store

let asked: TestDatabase

let admin: Client

let yard: OpenDatabase

beforeAll(async () => {
  opened = await openTestStore()
  store = opened.store
  asked = await createTestDatabase()
  admin = new Client({ connectionString: asked.url })
  await admin.connect()
})

afterAll(async () => {
  await yard?.close()
  await admin?.end()
  await asked?.drop()
  await opened?.[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await yard?.close()
  await admin.query(`
    drop schema public cascade; create schema public;
    create table boats (id int primary key, name text, kind text, length_m numeric);
    insert into boats values (1, 'Alba', 'sloop', 9.5), (2, 'Brisa', 'ketch', 12);
    create view sloops as select id, name from boats where kind = 'sloop';
  `)
  yard = await openDatabase(
    { dialect: 'postgres', name: 'yard', location: asked.url },
    { audit: silentAudit, guard: makeGuard(), limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } },
  )
})

const start = new Date('2026-11-20T12:00:00Z')

const hours = (count: number) => new Date(start.getTime() + count * 60 * 60 * 1000)

/** The use cases over the real store, with what they send and a clock that is set. */
const parts = () => {
  let at = start
  let away: Error | null = null
  const sent: JobData['ask-verified-owner'][] = []
  const queries = store.repositories.verifiedQueries
  const world = {
    find: (id: string) => queries.find(id),
    openDatabase: async () => {
      if (away) throw away
      return yard.database
    },
    readSchema: async () => yard.readSchema(),
    tryVerified: makeTryVerified({ resultKey }),
    touchedTables,
    everyHours: 24,
    now: () => at,
  }
  return {
    sent,
    setNow: (date: Date) => {
      at = date
    },
    setAway: (error: Error | null) => {
      away = error
    },
    recheck: makeRecheckVerified({
      ...world,
      recordRun: (known, given, tx) => queries.recordRun(known, given, tx),
      inTransaction: store.inTransaction,
      sendJob: async (queue, data) => {
        if (queue === 'ask-verified-owner') sent.push(data as JobData['ask-verified-owner'])
      },
      log: silentLog,
    }),
    settle: makeResolveStaleVerified({
      ...world,
      confirm: (stale, given) => queries.confirm(stale, given),
      dismiss: (stale, decision) => queries.dismiss(stale, decision),
    }),
  }
}

const save = async (sql: string, given: Partial<VerifiedQuery> = {}): Promise<string> => {
  const id = crypto.randomUUID()
  const query: VerifiedQuery = {
    id,
    database: 'yard',
    question: `Question ${id}`,
    maskedQuestion: 'question',
    sql,
    skeleton: null,
    slots: [],
    touches: touchedTables(sql, yard.database),
    fingerprint: yard.database.catalog.fingerprint,
    status: 'accepted',
    savedBy: 'U0ADA0001',
    savedAt: start,
    decidedBy: 'U0ADA0001',
    decidedAt: start,
    ...given,
  }
  expect(await store.repositories.verifiedQueries.insert(query)).toBe(true)
  return id
}

const found = async (id: string) => store.repositories.verifiedQueries.find(id)

describe('rechecking a verified query', () => {
  it('stores the result, and does not run it again before it is due', async () => {
    const id = await save('select name from boats order by id')
    const { recheck, setNow, sent } = parts()
    await recheck(id)
    const first = await found(id)
    expect(first).toMatchObject({
      status: 'accepted',
      lastRun: { status: 'ran', rowCount: 2, at: start },
      dueAt: hours(24),
    })
    await admin.query("insert into boats values (3, 'Cyan', 'sloop', 7)")
    setNow(hours(23))
    await recheck(id)
    expect(await found(id)).toEqual(first)
    setNow(hours(24))
    await recheck(id)
    const second = await found(id)
    expect(second).toMatchObject({ status: 'accepted', lastRun: { rowCount: 3 }, dueAt: hours(48) })
    const hashOf = (query: typeof second) => query?.lastRun?.status === 'ran' && query.lastRun.resultHash
    expect(hashOf(second)).toEqual(expect.any(String))
    expect(hashOf(second)).not.toEqual(hashOf(first))
    expect(sent).toEqual([])
  })

  it.each([
    [
      'a column is renamed',
      'select kind from boats',
      'alter table boats rename kind to sort',
      ['it no longer runs: column "kind" does not exist', 'the column boats.kind is gone'],
    ],
    [
      'a type changes, though it still runs',
      'select length_m from boats',
      'alter table boats alter length_m type text',
      ['boats.length_m changed from numeric to text'],
    ],
    [
      'a view has a new definition, though it still runs',
      'select name from sloops',
      "create or replace view sloops as select id, name from boats where kind <> 'sloop'",
      ['the view sloops has a new definition'],
    ],
    [
      'the table is dropped',
      'select count(*) from boats',
      'drop table boats cascade',
      ['it no longer runs: relation "boats" does not exist', 'the table boats is gone'],
    ],
  ])('makes it stale when %s', async (_what, sql, change, reasons) => {
    const id = await save(sql)
    await admin.query(change)
    const { recheck, sent } = parts()
    await recheck(id)
    const stale = await found(id)
    expect(stale).toMatchObject({ status: 'stale', staleness: { since: start }, dueAt: null })
    // Behind its message the server may guess at what was meant.
    expect(stale?.staleness?.reasons.map(reason => reason.replace(/ \(.*\)$/, ''))).toEqual(reasons)
    expect(sent).toEqual([{ queryId: id, since: start.toISOString() }])
    await recheck(id)
    expect(sent).toHaveLength(1)
  })

  it('ignores schema changes it does not depend on', async () => {
    const id = await save('select name from boats')
    await admin.query('alter table boats drop length_m, add built date; create table ports (id int)')
    const { recheck, sent } = parts()
    await recheck(id)
    expect(await found(id)).toMatchObject({ status: 'accepted', lastRun: { status: 'ran' } })
    expect(sent).toEqual([])
  })

  it('makes it stale if the guard now refuses it', async () => {
    const id = await save('select pg_sleep(1)', { touches: [] })
    const { recheck } = parts()
    await recheck(id)
    expect(await found(id)).toMatchObject({ status: 'stale', lastRun: { status: 'broken' } })
  })

  it('changes nothing if the database is unavailable, and tries again within the hour', async () => {
    const id = await save('select name from boats')
    const { recheck, setAway, setNow, sent } = parts()
    setAway(new QuerentError('database-unreachable', 'yard does not answer'))
    await recheck(id)
    expect(await found(id)).toMatchObject({
      status: 'accepted',
      lastRun: { status: 'unreachable', reason: 'yard does not answer' },
      dueAt: hours(1),
    })
    setAway(new TypeError('x is not a function'))
    setNow(hours(1))
    await recheck(id)
    expect(await found(id)).toMatchObject({
      status: 'accepted',
      lastRun: {
        status: 'unreachable',
        reason: 'something went wrong; an admin can find the cause in the log',
      },
      dueAt: hours(2),
    })
    setAway(null)
    setNow(hours(2))
    await recheck(id)
    expect(await found(id)).toMatchObject({ lastRun: { status: 'ran' }, dueAt: hours(26) })
    expect(sent).toEqual([])
  })

  it('uses the current schema for a query saved without one', async () => {
    const id = await save('select name from boats', { touches: null })
    const { recheck, setNow } = parts()
    await recheck(id)
    expect(await found(id)).toMatchObject({
      status: 'accepted',
      touches: [{ name: 'boats', columns: [{ name: 'name', type: 'text' }] }],
    })
    await admin.query('drop view sloops; alter table boats alter name type varchar(9)')
    setNow(hours(24))
    await recheck(id)
    expect(await found(id)).toMatchObject({ status: 'stale' })
  })

  it('is recorded once if two processes run it together', async () => {
    const id = await save('select kind from boats')
    await admin.query('alter table boats rename kind to sort')
    const [one, other] = [parts(), parts()]
    await Promise.all([one.recheck(id), other.recheck(id)])
    expect([...one.sent, ...other.sent]).toHaveLength(1)
  })

  it('is queued for each query that is due', async () => {
    const id = await save('select 1')
    const later = await save('select 2')
    const { recheck } = parts()
    await recheck(later)
    const sent: string[] = []
    const sendDue = makeSendDueRechecks({
      due: store.repositories.verifiedQueries.due,
      send: async ({ queryId }) => void sent.push(queryId),
      now: () => hours(1),
    })
    await sendDue()
    expect(sent).toContain(id)
    expect(sent).not.toContain(later)
  })
})

describe('resolving a stale query', () => {
  const goStale = async (sql: string, change: string) => {
    const id = await save(sql)
    await admin.query(change)
    const made = parts()
    await made.recheck(id)
    return { ...made, key: { queryId: id, since: start } }
  }
  const typeChange = ['select length_m from boats', 'alter table boats alter length_m type text'] as const
  const by = 'U0ADA0001'

  it('keeps it on the current schema, once', async () => {
    const { settle, recheck, setNow, key } = await goStale(...typeChange)
    const keep = () => settle({ key, decision: 'keep', by, ownerOnly: true })
    const ends = (await Promise.all([keep(), keep()])).map(({ status }) => status)
    expect(ends.toSorted()).toEqual(['kept', 'settled'])
    expect(await found(key.queryId)).toMatchObject({ status: 'accepted', staleness: null, dueAt: hours(24) })
    setNow(hours(24))
    await recheck(key.queryId)
    expect(await found(key.queryId)).toMatchObject({ status: 'accepted', dueAt: hours(48) })
  })

  it('cannot keep a query that does not run, but can remove it', async () => {
    const { settle, key } = await goStale('select kind from boats', 'alter table boats rename kind to sort')
    expect(await settle({ key, decision: 'keep', by, ownerOnly: true })).toMatchObject({
      status: 'unfit',
      reason: expect.stringContaining('"kind" does not exist'),
    })
    expect(await settle({ key, decision: 'remove', by, ownerOnly: true })).toMatchObject({
      status: 'removed',
    })
    expect(await settle({ key, decision: 'remove', by, ownerOnly: true })).toMatchObject({
      status: 'settled',
    })
  })

  it('is limited to the owner if requested', async () => {
    const { settle, key } = await goStale(...typeChange)
    for (const other of ['U0BOB0001', null])
      expect(await settle({ key, decision: 'remove', by: other, ownerOnly: true })).toEqual({
        status: 'not-theirs',
      })
    expect(await found(key.queryId)).toMatchObject({ status: 'stale' })
    expect(await settle({ key, decision: 'keep', by: 'bo', ownerOnly: false })).toMatchObject({
      status: 'kept',
      query: { decidedBy: 'bo' },
    })
  })

  it('reports an unavailable database', async () => {
    const { settle, setAway, key } = await goStale(...typeChange)
    setAway(new QuerentError('database-unreachable', 'yard does not answer'))
    expect(await settle({ key, decision: 'keep', by, ownerOnly: true })).toMatchObject({
      status: 'unfit',
      reason: 'yard does not answer',
    })
  })

  it('stops asking its owner', async () => {
    const { settle, key } = await goStale(...typeChange)
    const told: Date[] = []
    const ask = makeAskVerifiedOwner({ find: found, askOwner: async (_, since) => void told.push(since) })
    const job = { queryId: key.queryId, since: key.since.toISOString() }
    await ask(job)
    await ask({ ...job, since: hours(3).toISOString() })
    await settle({ key, decision: 'keep', by, ownerOnly: true })
    await ask(job)
    expect(told).toEqual([start])
  })
})

describe('a verified query that is too expensive to run without confirmation', () => {
  it('stays in use, tells its owner once, and is rechecked as usual', async () => {
    const id = await save('select name from boats order by id')
    const { recheck, setNow, setAway, sent } = parts()
    const light = yard
    await admin.query(`insert into boats select n, 'Boat ' || n, 'sloop', 7 from generate_series(10, 5000) n`)
    await admin.query('analyze boats')
    const heavy = await openDatabase(
      { dialect: 'postgres', name: 'yard', location: asked.url },
      {
        ...{ audit: silentAudit, guard: makeGuard(), heavyRows: 100 },
        limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 },
      },
    )
    yard = heavy
    try {
      await recheck(id)
      const told = [{ queryId: id, since: start.toISOString() }]
      expect(sent).toEqual(told)
      expect(await found(id)).toMatchObject({
        ...{ status: 'accepted', staleness: null, dueAt: hours(24) },
        lastRun: { status: 'too-heavy', heavySince: start, reason: expect.stringContaining('boats') },
      })
      setNow(hours(24))
      setAway(new QuerentError('database-unreachable', 'it is away'))
      await recheck(id)
      expect(await found(id)).toMatchObject({ dueAt: hours(25), lastRun: { heavySince: start } })
      setAway(null)
      setNow(hours(25))
      await recheck(id)
      expect(sent).toEqual(told)
      expect(await found(id)).toMatchObject({ dueAt: hours(49), lastRun: { status: 'too-heavy' } })

      const asks: Date[] = []
      const tell = makeAskVerifiedOwner({ find: found, askOwner: async (_, since) => void asks.push(since) })
      await tell({ queryId: id, since: start.toISOString() })
      expect(asks).toEqual([start])
      // More may be read by now.
      yard = light
      setNow(hours(49))
      await recheck(id)
      const lastRun = (await found(id))?.lastRun
      expect(lastRun).toMatchObject({ status: 'ran' })
      expect(lastRun).not.toHaveProperty('heavySince')
      // It runs by now: there is nothing to tell.
      await tell({ queryId: id, since: start.toISOString() })
      expect(asks).toEqual([start])
    } finally {
      yard = light
      await heavy.close()
    }
  })
})
