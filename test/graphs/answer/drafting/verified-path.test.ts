import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeVerifiedPath } from '../../../../graphs/answer/drafting/verified-path.ts'
import { makeFindExamples } from '../../../../graphs/answer/verified/similar-questions.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { makeParseQuestion } from '../../../../src/parser/interpret-question.ts'
import { trainedModel } from '../../../../src/parser/rank/model.ts'
import { draftsOf } from '../../../helpers/drafts-of.ts'
import { boatyardInput, openBoatyard } from '../verified/boatyard.ts'
import { acceptedQuery } from '../verified/verified-queries.ts'

let yard: Awaited<ReturnType<typeof openBoatyard>>

let database: Database

beforeAll(async () => {
  yard = await openBoatyard()
  database = yard.database
})

afterAll(() => yard?.close())

const parse = makeParseQuestion(trainedModel)

type Name = 'long' | 'built' | 'recent' | 'until' | 'year' | 'like' | 'fixed'

const verified: Readonly<Record<Name, readonly [question: string, sql: string]>> = {
  long: [
    'Which boats from Kiel are longer than 10 m?',
    "SELECT name FROM boats WHERE home_port = 'Kiel' AND length_m > 10",
  ],
  built: ['How many boats did Nordwerft build?', "SELECT COUNT(*) FROM boats WHERE builder = 'Nordwerft'"],
  recent: [
    'How many boats were launched last month?',
    "SELECT COUNT(*) FROM boats WHERE launched >= '2026-10-01' AND launched < '2026-11-01'",
  ],
  until: [
    'Names of boats launched in October 2026',
    "SELECT name FROM boats WHERE launched BETWEEN '2026-10-01' AND '2026-10-31'",
  ],
  year: [
    'How many boats were launched in 2025?',
    "SELECT COUNT(*) FROM boats WHERE strftime('%Y', launched) = '2025'",
  ],
  like: ['Boats whose port is Kiel', "SELECT name FROM boats WHERE lower(home_port) LIKE '%kiel%'"],
  fixed: [
    'What is the average length of our big boats?',
    'SELECT AVG(length_m) FROM boats WHERE length_m > 8',
  ],
}

/** What the path drafts for a question while these are verified; the drafts are run too. */
const drafted = async (question: string, ...names: readonly Name[]) => {
  const queries = await Promise.all(names.map(name => acceptedQuery(...verified[name], database)))
  const path = makeVerifiedPath({ listVerified: async () => queries, parse })
  const { drafts, usage } = await draftsOf(path.draft(await boatyardInput(question, database)))
  expect(usage.modelCalls).toBe(0)
  const rows = await Promise.all(
    drafts.map(async ({ sql }) => {
      const verdict = database.guard(sql)
      if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
      return (await database.run(verdict.guarded)).rows
    }),
  )
  return { drafts, rows }
}

describe('a verified query', () => {
  it('answers its own question as it is', async () => {
    const { drafts } = await drafted(verified.long[0], 'long', 'built')
    expect(drafts).toEqual([
      {
        sql: verified.long[1],
        lineage: 'verified-example',
        prior: 0.9,
        decisions: [],
        assumptions: [`This follows the verified question “${verified.long[0]}”.`],
        unused: [],
      },
    ])
  })

  it('answers the same of another value and another number, and says what it put where', async () => {
    const { drafts, rows } = await drafted(
      'Please show me which boats from Bergen are longer than six m',
      'long',
    )
    expect(drafts).toMatchObject([
      {
        sql: "SELECT name FROM boats WHERE home_port = 'Bergen' AND length_m > 6",
        assumptions: [
          `This follows the verified question “${verified.long[0]}”, with “Bergen” instead of “Kiel”, “six” instead of “10”.`,
        ],
      },
    ])
    expect(rows).toEqual([[['Cyan'], ['Dorn']]])
  })

  it('takes a value of several words, and one with a quote in it', async () => {
    const port = await drafted('Which boats from Port Ellen are longer than 10 m?', 'long')
    expect(port.rows).toEqual([[['Eike']]])
    const builder = await drafted("How many boats did O'Hara & Sons build?", 'built')
    expect(builder.drafts[0]?.sql).toContain("'O''Hara & Sons'")
    expect(builder.rows).toEqual([[[1]]])
  })

  it('keeps to the column: a word that is a value of two is the one that the SQL compares', async () => {
    const { drafts } = await drafted('How many boats did Kiel build?', 'built')
    expect(drafts[0]?.sql).toBe("SELECT COUNT(*) FROM boats WHERE builder = 'Kiel'")
  })

  it.each([
    [
      'How many boats were launched last month?',
      "launched >= '2026-11-01' AND launched < '2026-12-01'",
      'recent',
    ],
    [
      'how many boats were launched in 2025?',
      "launched >= '2025-01-01' AND launched < '2026-01-01'",
      'recent',
    ],
    ['Names of boats launched in September 2026', "BETWEEN '2026-09-01' AND '2026-09-30'", 'until'],
    ['How many boats were launched in 2026?', "strftime('%Y', launched) = '2026'", 'year'],
  ] as const)('gives %j its own days', async (question, written, name) => {
    const { drafts } = await drafted(question, name)
    expect(drafts).toHaveLength(1)
    expect(drafts[0]?.sql).toContain(written)
  })

  it('writes a value as the SQL does: in small letters, between marks', async () => {
    const { drafts, rows } = await drafted('Boats whose port is Port Ellen', 'like')
    expect(drafts[0]?.sql).toContain("LIKE '%port ellen%'")
    expect(rows).toEqual([[['Eike']]])
  })

  it.each([
    ['something more', 'Which boats from Kiel are longer than 10 m and built by Nordwerft?', 'long'],
    ['something else', 'Which boats from Kiel are shorter than 10 m?', 'long'],
    ['the opposite', 'Which boats not from Kiel are longer than 10 m?', 'long'],
    ['less', 'Which boats from Kiel are long?', 'long'],
    ['a period more', 'Which boats from Kiel launched last month are longer than 10 m?', 'long'],
    ['a value that nobody knows', 'Which boats from Atlantis are longer than 10 m?', 'long'],
    ['another count', 'How many boats from Kiel are longer than 10 m?', 'long'],
    ['a number where none can be replaced', 'What is the average length of our 9 big boats?', 'fixed'],
    ['a month where the SQL names a year', 'How many boats were launched in May 2025?', 'year'],
    ['a period without an end', 'How many boats were launched since May 2026?', 'recent'],
  ] as const)('is silent on a question that asks %s', async (_, question, name) => {
    expect((await drafted(question, name)).drafts).toEqual([])
  })

  it('of two that match and differ, puts the nearer first, and is half as sure of the other', async () => {
    const [question] = verified.built
    const queries = [
      await acceptedQuery(
        'How many boats has Nordwerft build?',
        "SELECT COUNT(id) - 1 FROM boats WHERE builder = 'Nordwerft'",
        database,
      ),
      await acceptedQuery(...verified.built, database),
    ]
    const path = makeVerifiedPath({ listVerified: async () => queries, parse })
    const { drafts } = await draftsOf(path.draft(await boatyardInput(question, database)))
    expect(drafts.map(({ sql }) => sql)).toEqual([verified.built[1], queries[0]?.sql])
    expect(drafts[1]?.prior).toBeLessThan((drafts[0]?.prior ?? 0) / 2 + 0.01)
  })

  it('is silent when the list cannot be read, and stops when the question is stopped', async () => {
    const path = makeVerifiedPath({ listVerified: () => Promise.reject(new Error('away')), parse })
    const input = await boatyardInput(verified.built[0], database)
    expect((await draftsOf(path.draft(input))).drafts).toEqual([])
    await expect(path.draft({ ...input, signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    )
  })

  it('does not take days of then for days of now when it cannot tell them', async () => {
    const query = await acceptedQuery(
      'How many boats were launched last month?',
      "SELECT COUNT(*) FROM boats WHERE launched > '2026-09-29' AND launched < '2026-11-02'",
      database,
    )
    expect(query.slots).toEqual([])
    const path = makeVerifiedPath({ listVerified: async () => [query], parse })
    const { drafts } = await draftsOf(path.draft(await boatyardInput(query.question, database)))
    expect(drafts).toEqual([])
  })
})

describe('what is read of a verified question', () => {
  it.each([
    ['long', 'which <name> from <value> are longer than <number>', ['Kiel', '10']],
    ['recent', 'how many <name> were <name> <period>', ['last month']],
    ['fixed', 'what is the average <name> of our big <name>', []],
  ] as const)('%s', async (name, masked, said) => {
    const query = await acceptedQuery(...verified[name], database)
    expect(query.maskedQuestion).toBe(masked)
    expect(query.slots.map(({ at: [start, end] }) => query.question.slice(start, end))).toEqual(said)
    expect(query.skeleton).toContain('FROM _')
  })

  it('is no slot where two pieces of the question may have become the literal', async () => {
    const { slots } = await acceptedQuery(
      'Boats longer than 10 m and shorter than 10 m',
      'SELECT name FROM boats WHERE length_m > 10 AND length_m < 10',
      database,
    )
    expect(slots).toEqual([])
  })
})

describe('examples for a prompt', () => {
  const examples = async (question: string, names: readonly Name[], known = database) => {
    const queries = await Promise.all(names.map(name => acceptedQuery(...verified[name], database)))
    const findExamples = makeFindExamples({ listVerified: async () => queries, parse })
    const found = await findExamples({ ...(await boatyardInput(question, database)), database: known })
    return found.map(example => example.question)
  }
  const all = Object.keys(verified) as Name[]

  it('are the three that are most alike, the most alike first', async () => {
    const found = await examples('How many boats were launched in 2026 in Bergen?', all)
    expect(found).toHaveLength(3)
    expect(found[0]).toBe(verified.year[0])
  })

  it('are none when nothing is alike', async () => {
    expect(await examples('Zxq?', all)).toEqual([])
  })

  it('are none that may no longer be read', async () => {
    const closed: Database = {
      ...database,
      guard: sql => (sql.includes('builder') ? { verdict: 'refuse', reason: 'kept' } : database.guard(sql)),
    }
    expect(await examples(verified.built[0], ['built'], closed)).toEqual([])
    expect(await examples(verified.built[0], ['built'])).toEqual([verified.built[0]])
  })
})
