import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFindVerifiedSimilarity } from '../../../../graphs/answer/verified/verified-similarity.ts'
import type { RunStore } from '../../../../src/domain/question-context.ts'
import type { VerifiedQuery } from '../../../../src/domain/verified-query.ts'
import { makeVerifiedSimilarity } from '../../../../src/ranking/evidence.ts'
import { boatyardInput, openBoatyard } from './boatyard.ts'
import { acceptedQuery } from './verified-queries.ts'

let yard: Awaited<ReturnType<typeof openBoatyard>>

let query: VerifiedQuery

beforeAll(async () => {
  yard = await openBoatyard()
  query = await acceptedQuery(
    'How many boats did Nordwerft build?',
    "SELECT COUNT(*) FROM boats WHERE builder = 'Nordwerft'",
    yard.database,
  )
})

afterAll(() => yard?.close())

const question = {
  id: 'q1',
  text: 'How many boats did O’Hara build?',
  database: 'boatyard',
  askedAt: '2026-11-20',
  timeZone: 'UTC',
}

/** Looks up over these lists, one after the other, and counts what is read. */
const looking = (...lists: readonly (() => Promise<readonly VerifiedQuery[]>)[]) => {
  const read = { lists: 0, briefs: 0 }
  const unwanted = () => Promise.reject(new Error('not for this'))
  const runStore: RunStore = {
    loadCandidates: unwanted,
    saveCandidates: unwanted,
    saveContext: unwanted,
    loadContext: async () => {
      read.briefs += 1
      const { understanding, matches, linked } = await boatyardInput(question.text, yard.database)
      return { understanding, matches, linked, keywords: [] }
    },
  }
  const find = makeFindVerifiedSimilarity({
    database: async () => yard.database,
    runStore,
    listVerified: () => (lists[Math.min(read.lists++, lists.length - 1)] ?? unwanted)(),
    likenessTo: makeVerifiedSimilarity,
  })
  return {
    read,
    find: (round = 0, signal?: AbortSignal) => find({ question, round }, signal ? { signal } : {}),
  }
}

describe('likeness to what is verified', () => {
  it('is looked up once a round, and measured of any statement', async () => {
    const { find, read } = looking(async () => [query])
    const like = await find()
    const counted = like?.("SELECT COUNT(*) FROM boats WHERE builder = 'O''Hara & Sons'")
    expect(counted).toBeGreaterThan(0.8)
    expect(like?.('SELECT name FROM boats ORDER BY 1')).toBeLessThan(counted ?? 0)
    expect(await find()).toBe(like)
    expect(read.briefs).toBe(1)
    // Words of a reply are another question.
    await find(1)
    expect(read.briefs).toBe(2)
  })

  it('costs no look at the question where nothing is verified', async () => {
    const { find, read } = looking(async () => [])
    expect([await find(), await find()]).toEqual([null, null])
    expect(read).toEqual({ lists: 1, briefs: 0 })
  })

  it('is none where what is verified cannot be read, and is looked up again', async () => {
    const { find } = looking(
      () => Promise.reject(new Error('the store is away')),
      async () => [query],
    )
    expect(await find()).toBeNull()
    expect(await find()).not.toBeNull()
  })

  it('stops when it is told to', async () => {
    const stop = new AbortController()
    const { find } = looking(() => {
      stop.abort(new Error('enough'))
      return Promise.reject(new Error('cancelled'))
    })
    await expect(find(0, stop.signal)).rejects.toThrow('enough')
  })
})
