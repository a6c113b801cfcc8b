import { describe, expect, it } from 'vitest'
import type { VerifiedQuery } from '../../../src/domain/verified-query.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { storeOn } from '../setup/store-on.ts'

const at = new Date('2026-11-20T12:00:00Z')

const decision = { by: 'bo', at }

let count = 0

const makeQuery = (changes: Partial<VerifiedQuery> = {}): VerifiedQuery => {
  count++
  return {
    id: crypto.randomUUID(),
    database: 'shop',
    question: `How many of ${count} in Kiel?`,
    maskedQuestion: 'how many of <number> in <value>',
    sql: `select ${count} from towns where name = 'Kiel'`,
    skeleton: 'SELECT ? FROM _ WHERE _ = ?',
    slots: [
      { kind: 'value', at: [17, 21], table: 'towns', column: 'name', value: 'Kiel' },
      { kind: 'number', at: [12, 13], value: count },
      { kind: 'period', at: [0, 3], from: '2026-10-01', until: null },
    ],
    touches: [
      {
        schema: null,
        name: 'towns',
        whole: false,
        columns: [{ name: 'name', type: 'text' }],
        definition: null,
      },
    ],
    fingerprint: 'f1',
    status: 'proposed',
    savedBy: 'ada',
    savedAt: new Date(at.getTime() + count * 1000),
    decidedBy: null,
    decidedAt: null,
    ...changes,
  }
}

/** As it is before anything became of it. */
const kept = (query: VerifiedQuery) => ({ ...query, lastRun: null, staleness: null, dueAt: null })

const accepted = (changes: Partial<VerifiedQuery> = {}) =>
  makeQuery({ status: 'accepted', decidedBy: 'bo', decidedAt: at, ...changes })

describe.each(postgresServers('verified queries'))('verified queries on the %s server', on => {
  const store = storeOn(on)

  const saved = async (query: VerifiedQuery): Promise<VerifiedQuery> => {
    expect(await store().repositories.verifiedQueries.insert(query)).toBe(true)
    return query
  }

  it('come back as they were saved', async () => {
    const query = await saved(makeQuery({ database: 'alone', question: 'ünï "x" $1 ? \n {}' }))
    expect(await store().repositories.verifiedQueries.list({ database: 'alone' })).toEqual([kept(query)])
  })

  it('are listed newest first, by database and state, without the removed ones unless they are asked for', async () => {
    const { list, remove } = store().repositories.verifiedQueries
    const database = 'listed'
    const first = await saved(makeQuery({ database }))
    const second = await saved(accepted({ database }))
    const third = await saved(makeQuery({ database }))
    await remove(third.id, decision)
    const ids = async (only: Parameters<typeof list>[0]) => (await list(only)).map(({ id }) => id)
    expect(await ids({ database })).toEqual([second.id, first.id])
    expect(await ids({ database, status: 'accepted' })).toEqual([second.id])
    expect(await ids({ database, status: 'removed' })).toEqual([third.id])
    expect(await ids({})).toEqual(expect.arrayContaining([first.id, second.id]))
  })

  it('have one accepted query a question, whatever the case of its letters', async () => {
    const { accept, insert, remove } = store().repositories.verifiedQueries
    const one = await saved(makeQuery({ question: 'How many?' }))
    const other = await saved(makeQuery({ question: 'HOW many?' }))
    expect(await accept(one.id, decision)).toMatchObject({
      id: one.id,
      status: 'accepted',
      decidedBy: 'bo',
      decidedAt: at,
    })
    expect(await accept(other.id, decision)).toBe('taken')
    expect(await insert(accepted({ question: 'how many?' }))).toBe(false)
    expect(await insert(accepted({ question: 'how many?', database: 'elsewhere' }))).toBe(true)
    await remove(one.id, decision)
    expect(await accept(other.id, decision)).toMatchObject({ id: other.id, status: 'accepted' })
  })

  it('are decided about once while they are proposed', async () => {
    const { decideProposed } = store().repositories.verifiedQueries
    const [one, twin] = [
      await saved(makeQuery({ question: 'Which ones?' })),
      await saved(makeQuery({ question: 'which ones?' })),
    ]
    expect(await decideProposed(one.id, 'accepted', decision)).toMatchObject({ status: 'accepted' })
    expect(await decideProposed(one.id, 'removed', decision)).toBeNull()
    expect(await decideProposed(twin.id, 'accepted', decision)).toBe('taken')
    expect(await decideProposed(twin.id, 'removed', decision)).toMatchObject({
      ...{ status: 'removed', decidedBy: 'bo' },
    })
    expect(await decideProposed(crypto.randomUUID(), 'accepted', decision)).toBeNull()
  })

  it('are accepted by one of several people at once', async () => {
    const twins = await Promise.all([1, 2, 3].map(() => saved(makeQuery({ question: 'Who wins?' }))))
    const ends = await Promise.all(
      twins.map(({ id }) => store().repositories.verifiedQueries.accept(id, decision)),
    )
    expect(ends.filter(end => end === 'taken')).toHaveLength(2)
  })

  it('are accepted and removed once, and can be accepted again', async () => {
    const { accept, remove } = store().repositories.verifiedQueries
    const { id } = await saved(accepted())
    expect(await accept(id, decision)).toBeNull()
    expect(await remove(id, decision)).toMatchObject({ status: 'removed' })
    expect(await remove(id, decision)).toBeNull()
    expect(await accept(id, decision)).toMatchObject({ status: 'accepted' })
    expect(await accept(crypto.randomUUID(), decision)).toBeNull()
  })

  it('are found by how their id begins', async () => {
    const { findByPrefix } = store().repositories.verifiedQueries
    const query = await saved(makeQuery())
    expect(await findByPrefix(query.id.slice(0, 13).toUpperCase())).toEqual([kept(query)])
    expect(await findByPrefix('%')).toEqual([])
  })
})
