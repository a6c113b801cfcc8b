import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFindSimilarVerified } from '../../../../graphs/answer/verified/similar-questions.ts'
import type { VerifiedQuery } from '../../../../src/domain/verified-query.ts'
import { makeVerifiedSimilarity } from '../../../../src/ranking/evidence.ts'
import { boatyardInput, openBoatyard } from './boatyard.ts'
import { acceptedQuery } from './verified-queries.ts'

let yard: Awaited<ReturnType<typeof openBoatyard>>

let queries: readonly VerifiedQuery[]

beforeAll(async () => {
  yard = await openBoatyard()
  queries = await Promise.all([
    acceptedQuery(
      'What is the average length of our boats?',
      'SELECT AVG(length_m) FROM boats',
      yard.database,
    ),
    acceptedQuery(
      'How many boats did Nordwerft build?',
      "SELECT COUNT(*) FROM boats WHERE builder = 'Nordwerft'",
      yard.database,
    ),
  ])
})

afterAll(() => yard?.close())

const near = async (question: string, list: () => Promise<readonly VerifiedQuery[]> = async () => queries) =>
  makeFindSimilarVerified({ listVerified: list })(await boatyardInput(question, yard.database))

describe('verified queries near a question', () => {
  it('come the most alike first, with how alike they are', async () => {
    const [first, second] = await near('How many boats did O’Hara build?')
    expect(first?.query.sql).toContain('COUNT')
    expect(first?.likeness).toBeGreaterThan(0.6)
    expect(second?.likeness).toBeLessThan(first?.likeness ?? 0)
    const [same] = await near('How many boats did Nordwerft build?')
    expect(same?.likeness).toBe(1)
  })

  it('name no value of rows that a person does not see', async () => {
    const input = await boatyardInput('How many boats did O’Hara build?', yard.database)
    const find = makeFindSimilarVerified({ listVerified: async () => queries })
    const near = await find({
      ...input,
      database: { ...input.database, rights: { key: 'k' } as never, findValues: () => [] },
    })
    expect(near.map(({ query }) => query.question)).toEqual(['What is the average length of our boats?'])
  })

  it('are evidence for a candidate that looks like them', async () => {
    const likeness = makeVerifiedSimilarity(await near('How many boats did O’Hara build?'), 'sqlite')
    const counted = likeness("SELECT COUNT(*) FROM boats WHERE builder = 'O''Hara & Sons'")
    expect(counted).toBeGreaterThan(
      likeness("SELECT name FROM boats WHERE builder = 'O''Hara & Sons' ORDER BY 1"),
    )
    expect(counted).toBeLessThanOrEqual(1)
  })

  it('are none where they cannot be read', async () => {
    const unreadable = () => Promise.reject(new Error('the store is away'))
    expect(await near('How many boats?', unreadable)).toEqual([])
  })
})
