import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VerifiedQuery, VerifiedRun } from '../../../src/domain/verified-query.ts'
import type { Store } from '../../../src/store/store.ts'
import { openTestStore } from '../setup/open-test-store.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))

const ran: VerifiedRun = { status: 'ran', at: at(1), rowCount: 3, resultHash: 'abc' }

const broken: VerifiedRun = { status: 'broken', at: at(2), reason: 'no such column: kind' }

const touches = [
  {
    schema: 'yard',
    name: 'boats',
    whole: true,
    columns: [{ name: 'id', type: 'int' }],
    definition: 'select 1',
  },
]

let opened: Awaited<ReturnType<typeof openTestStore>>

let store: Store

beforeAll(async () => {
  opened = await openTestStore()
  store = opened.store
})

afterAll(() => opened?.[Symbol.asyncDispose]())

const queries = () => store.repositories.verifiedQueries

let count = 0

const save = async (status: VerifiedQuery['status'] = 'accepted', question = `How many of ${++count}?`) => {
  const id = crypto.randomUUID()
  const query: VerifiedQuery = {
    id,
    database: 'shop',
    question,
    maskedQuestion: 'how many of <number>',
    sql: 'select 1',
    skeleton: null,
    slots: [],
    touches: null,
    fingerprint: 'f',
    status,
    savedBy: 'U0ADA0001',
    savedAt: at(0),
    decidedBy: null,
    decidedAt: status === 'proposed' ? null : at(0),
  }
  expect(await queries().insert(query)).toBe(true)
  return id
}

const goStale = async (id: string, since = at(2)) => {
  const lastRunAt = (await queries().find(id))?.lastRun?.at ?? null
  const staleness = { since, reasons: ['the table boats is gone'] }
  return queries().recordRun({ id, lastRunAt }, { run: broken, touches, dueAt: null, staleness })
}

describe('running verified queries again', () => {
  it('is due for accepted ones, at once or when their time has come, those that wait longest first', async () => {
    const database = await Promise.all([save(), save(), save(), save('proposed')])
    const [never, later, past] = database as [string, string, string, string]
    const run = (id: string, dueAt: Date) =>
      queries().recordRun({ id, lastRunAt: null }, { run: ran, touches, dueAt, staleness: null })
    await run(later, at(30))
    await run(past, at(5))
    expect(await queries().due(at(10), 10)).toEqual([never, past])
    expect(await queries().due(at(30), 10)).toEqual([never, past, later])
    expect(await queries().due(at(30), 1)).toEqual([never])
    for (const id of database) await queries().remove(id, { by: null, at: at(1) })
    expect(await queries().due(at(59), 10)).toEqual([])
  })

  it('keeps the last run and the schema, once for one who knew the run before', async () => {
    const id = await save()
    const given = { touches, dueAt: at(9), staleness: null }
    expect(await queries().recordRun({ id, lastRunAt: null }, { run: ran, ...given })).toBe(true)
    expect(await queries().recordRun({ id, lastRunAt: null }, { run: broken, ...given })).toBe(false)
    expect(await queries().find(id)).toMatchObject({
      lastRun: ran,
      touches,
      dueAt: at(9),
      status: 'accepted',
    })
    expect(await queries().recordRun({ id, lastRunAt: ran.at }, { run: broken, ...given })).toBe(true)
    expect(await queries().find(id)).toMatchObject({ lastRun: broken })
  })

  it('takes stale ones out of use, until they are kept or removed', async () => {
    const id = await save()
    expect(await goStale(id)).toBe(true)
    expect(await goStale(id, at(3))).toBe(false)
    const stale = await queries().find(id)
    expect(stale).toMatchObject({
      status: 'stale',
      staleness: { since: at(2), reasons: ['the table boats is gone'] },
    })
    expect(await queries().list({ database: 'shop', status: 'accepted' })).not.toContainEqual(stale)
    expect(await queries().list({ status: 'stale' })).toContainEqual(stale)
    expect(await queries().accept(id, { by: 'bo', at: at(4) })).toBeNull()

    const decided = { by: 'bo', at: at(5), touches: null, lastRun: ran, dueAt: at(8) }
    expect(await queries().confirm({ id, since: at(1) }, decided)).toBeNull()
    expect(await queries().confirm({ id, since: at(2) }, decided)).toMatchObject({
      status: 'accepted',
      staleness: null,
      touches: null,
      lastRun: ran,
      dueAt: at(8),
      decidedBy: 'bo',
    })
    expect(await queries().dismiss({ id, since: at(2) }, { by: 'bo', at: at(6) })).toBeNull()
    await goStale(id, at(7))
    expect(await queries().dismiss({ id, since: at(7) }, { by: 'bo', at: at(8) })).toMatchObject({
      status: 'removed',
      staleness: null,
    })
  })

  it('leaves a stale one where its question has another accepted query by now', async () => {
    const id = await save('accepted', 'Which one?')
    await goStale(id)
    await save('accepted', 'which ONE?')
    const decided = { by: 'bo', at: at(5), touches: null, lastRun: ran, dueAt: at(8) }
    expect(await queries().confirm({ id, since: at(2) }, decided)).toBe('taken')
    expect(await queries().find(id)).toMatchObject({ status: 'stale' })
  })
})

describe('what owners were asked', () => {
  it('is claimed once for each time of being stale, and remembered', async () => {
    const queryId = await save()
    const notices = store.repositories.verifiedNotices
    const key = { queryId, since: at(2) }
    const claims = await Promise.all(
      [1, 2, 3].map(() => notices.claim({ ...key, channel: 'D1', claimedAt: at(3) })),
    )
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await notices.find(key)).toEqual({ channel: 'D1', ts: null })
    await notices.markPosted(key, { ts: '12.5', at: at(4) })
    expect(await notices.find(key)).toEqual({ channel: 'D1', ts: '12.5' })
    expect(await notices.claim({ queryId, since: at(9), channel: 'D1', claimedAt: at(9) })).toBe(true)
    expect(await notices.find({ queryId, since: at(8) })).toBeNull()
  })
})
