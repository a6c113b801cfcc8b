import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Simulator } from '../../../simulator/simulator.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { StoredVerifiedQuery } from '../../../src/domain/verified-query.ts'
import { makeSlackClient } from '../../../src/slack/delivery/client.ts'
import { makeNotifyQueryOwner } from '../../../src/slack/delivery/review-requests.ts'
import { startTestSimulator } from '../../simulator/start-test-simulator.ts'
import { openTestStore } from '../../store/setup/open-test-store.ts'

const at = new Date('2026-11-20T12:00:00.123Z')

let opened: Awaited<ReturnType<typeof openTestStore>>

let simulator: Simulator & AsyncDisposable

beforeAll(async () => {
  opened = await openTestStore()
  simulator = await startTestSimulator()
})

afterAll(async () => {
  await simulator?.[Symbol.asyncDispose]()
  await opened?.[Symbol.asyncDispose]()
})

afterEach(() => {
  simulator.setFaults([])
  expect(simulator.problems()).toEqual([])
})

/** Kept in the store, because what its owner is asked hangs on it. */
const staleOf = async (savedBy: string | null): Promise<StoredVerifiedQuery> => {
  const id = crypto.randomUUID()
  const query: StoredVerifiedQuery = {
    id,
    database: 'yard',
    question: `How many of ${id}?`,
    maskedQuestion: 'how many',
    sql: 'select 1',
    skeleton: null,
    slots: [],
    touches: null,
    fingerprint: 'f',
    status: 'accepted',
    savedBy,
    savedAt: at,
    decidedBy: savedBy,
    decidedAt: at,
    lastRun: null,
    staleness: { since: at, reasons: ['the table boats is gone'] },
    dueAt: null,
  }
  expect(await opened.store.repositories.verifiedQueries.insert(query)).toBe(true)
  return query
}

const idOf = (handle: string) => simulator.people.find(person => person.handle === handle)?.id ?? ''

const about = ({ id }: StoredVerifiedQuery) => simulator.messages().filter(({ text }) => text.includes(id))

/** The port as the bot makes it, with the warnings that it gives. */
const asking = () => {
  const slack = { token: simulator.botToken, apiUrl: simulator.apiUrl, retries: 0 }
  const warnings: unknown[] = []
  const askOwner = makeNotifyQueryOwner({
    client: makeSlackClient(slack),
    poster: makeSlackClient(slack),
    notices: opened.store.repositories.verifiedNotices,
    now: () => at,
    log: { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) },
  })
  return { askOwner, warnings }
}

describe('asking the owner of a stale verified query', () => {
  it('says it to them alone, once for each time', async () => {
    const query = await staleOf(idOf('ada'))
    const { askOwner } = asking()
    await askOwner(query, at)
    await askOwner(query, at)
    const [asked, second] = about(query)
    expect(second).toBeUndefined()
    expect(simulator.channels.find(({ id }) => id === asked?.channel)?.person).toBe(idOf('ada'))
    await askOwner(query, new Date(at.getTime() + 1))
    expect(about(query)).toHaveLength(2)
  })

  it('only tells them of one that is too heavy, with nothing to decide', async () => {
    const { staleness: _, ...query } = await staleOf(idOf('ada'))
    const lastRun = { status: 'too-heavy', at, heavySince: at, reason: 'This reads about 9 rows.' } as const
    const { askOwner } = asking()
    for (const _ of [1, 2]) await askOwner({ ...query, staleness: null, lastRun }, at)
    const [told, second] = about(query as StoredVerifiedQuery)
    expect(second).toBeUndefined()
    expect(JSON.stringify(told?.blocks)).toContain('This reads about 9 rows.')
    expect(JSON.stringify(told?.blocks)).not.toContain('"button"')
  })

  it('says it once where the answer to the post was lost', async () => {
    const query = await staleOf(idOf('ada'))
    const { askOwner } = asking()
    simulator.setFaults([{ method: 'chat.postMessage', times: 1, kind: 'drop-response' }])
    await expect(askOwner(query, at)).rejects.toThrow()
    await askOwner(query, at)
    expect(about(query)).toHaveLength(1)
    const key = { queryId: query.id, since: at }
    expect(await opened.store.repositories.verifiedNotices.find(key)).toMatchObject({
      ts: about(query)[0]?.ts,
    })
  })

  it('says it where Slack was away at first', async () => {
    const query = await staleOf(idOf('ada'))
    const { askOwner } = asking()
    for (const method of ['conversations.open', 'chat.postMessage']) {
      simulator.setFaults([{ method, times: 1, kind: 'server-error' }])
      await expect(askOwner(query, at)).rejects.toThrow()
    }
    await askOwner(query, at)
    expect(about(query)).toHaveLength(1)
  })

  it.each(['ada', 'root', 'Upper', null])('asks nobody for %s, who is not of Slack', async savedBy => {
    const calls = simulator.calls().length
    const { askOwner } = asking()
    await askOwner(await staleOf(savedBy), at)
    expect(simulator.calls()).toHaveLength(calls)
  })

  it('gives up on somebody who left, and says so in the log', async () => {
    const query = await staleOf('U0GONE0001')
    const { askOwner, warnings } = asking()
    await askOwner(query, at)
    expect(about(query)).toEqual([])
    expect(warnings).toHaveLength(1)
  })
})
