import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFindNearest } from '../../../../graphs/answer/verified/nearest-questions.ts'
import type { Embedder } from '../../../../src/domain/model.ts'
import type { VerifiedQuery } from '../../../../src/domain/verified-query.ts'
import { boatyardInput, openBoatyard } from './boatyard.ts'
import { acceptedQuery } from './verified-queries.ts'

let yard: Awaited<ReturnType<typeof openBoatyard>>

let queries: readonly VerifiedQuery[]

const length = 'What is the average length of our boats?'
const built = 'How many boats did Nordwerft build?'
const names = 'Name every boat.'

beforeAll(async () => {
  yard = await openBoatyard()
  queries = await Promise.all([
    acceptedQuery(length, 'SELECT AVG(length_m) FROM boats', yard.database),
    acceptedQuery(built, "SELECT COUNT(*) FROM boats WHERE builder = 'Nordwerft'", yard.database),
    acceptedQuery(names, 'SELECT name FROM boats', yard.database),
  ])
})

afterAll(() => yard?.close())

/** Directions by question; what is not known points nowhere near. */
const directions: Readonly<Record<string, readonly [number, number]>> = {
  [length]: [1, 0],
  [built]: [0, 1],
  [names]: [0.6, 0.8],
  'How big are they?': [1, 0.1],
}

const embedderOf = (asked: string[][], fails = false): Embedder => ({
  model: 'two numbers',
  embed: async texts => {
    asked.push([...texts])
    if (fails) throw new Error('away')
    return texts.map(text => Float32Array.from(directions[text] ?? [0, 0]))
  },
})

const find = async (question: string, most: number, embedder: Embedder | null) => {
  const findNearest = makeFindNearest({ listVerified: async () => queries, embedder })
  return (await findNearest(await boatyardInput(question, yard.database), most)).map(one => one.question)
}

describe('the verified questions nearest to one', () => {
  it('are the nearest by their vectors, as many as are wanted', async () => {
    expect(await find('How big are they?', 2, embedderOf([]))).toEqual([length, names])
    expect(await find('How big are they?', 9, embedderOf([]))).toEqual([length, names, built])
  })

  it('are embedded once', async () => {
    const asked: string[][] = []
    const embedder = embedderOf(asked)
    const findNearest = makeFindNearest({ listVerified: async () => queries, embedder })
    await findNearest(await boatyardInput('How big are they?', yard.database), 9)
    await findNearest(await boatyardInput(names, yard.database), 9)
    expect(asked.map(texts => texts.length)).toEqual([3, 1])
  })

  it('are chosen by words without an embedder, or for a minute after it failed', async () => {
    expect((await find('How many boats did O’Hara build?', 1, null))[0]).toBe(built)
    const asked: string[][] = []
    let now = 0
    const findNearest = makeFindNearest({
      listVerified: async () => queries,
      embedder: embedderOf(asked, true),
      now: () => now,
    })
    const input = await boatyardInput('How many boats did O’Hara build?', yard.database)
    expect((await findNearest(input, 1))[0]?.question).toBe(built)
    await findNearest(input, 1)
    expect(asked).toHaveLength(1)
    now = 60_000
    await findNearest(input, 1)
    expect(asked).toHaveLength(2)
  })

  it('are embedded on while a question that was stopped no longer waits', async () => {
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    const { promise: asked, resolve: begin } = Promise.withResolvers<void>()
    const slow: Embedder = {
      model: 'slow',
      embed: async (texts, { signal } = {}) => {
        begin()
        await answered
        signal?.throwIfAborted()
        return embedderOf([]).embed(texts)
      },
    }
    const findNearest = makeFindNearest({ listVerified: async () => queries, embedder: slow })
    const stop = new AbortController()
    const input = { ...(await boatyardInput('How big are they?', yard.database)), signal: stop.signal }
    const waiting = findNearest(input, 2)
    await asked
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    resolve()
    const { signal: _, ...again } = input
    expect((await findNearest(again, 1))[0]?.question).toBe(length)
  })

  it('leave out what the guard refuses by now', async () => {
    const database = {
      ...yard.database,
      guard: (sql: string) =>
        sql.includes('AVG')
          ? ({ verdict: 'refuse', reason: 'not any more' } as unknown as ReturnType<
              typeof yard.database.guard
            >)
          : yard.database.guard(sql),
    }
    const findNearest = makeFindNearest({ listVerified: async () => queries, embedder: embedderOf([]) })
    const found = await findNearest(await boatyardInput('How big are they?', database), 2)
    expect(found.map(({ question }) => question)).toEqual([names, built])
  })
})
