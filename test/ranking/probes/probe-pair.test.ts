import { describe, expect, it } from 'vitest'
import type { ResultTable } from '../../../src/domain/result.ts'
import { probePair } from '../../../src/ranking/probes/probe-pair.ts'
import { indexedSqlite } from '../indexed-sqlite.ts'

const { database, run } = indexedSqlite(
  'boatyard',
  `
  create table boats (id integer primary key, name text, home_port text, builder text, length_m real);
  insert into boats values (1, 'Alba', 'Kiel', 'Nordwerft', 9.5), (2, 'Brisa', 'Kiel', 'Bergen', 12),
    (3, 'Cyan', 'Bergen', 'Nordwerft', 7);
`,
)

/** Looks at two statements in both orders, which must say the same; also what was run for it. */
const probe = async (
  question: string,
  one: string,
  other: string,
  runProbe: (sql: string) => Promise<ResultTable | null> = run,
) => {
  const ran: string[] = []
  const [first, second] = await Promise.all([one, other].map(async sql => ({ sql, result: await run(sql) })))
  const input = {
    ...{ question, catalog: database().catalog },
    run: (sql: string) => {
      ran.push(sql)
      return runProbe(sql)
    },
  }
  const found = await probePair({ ...input, first: first!, second: second! })
  const turned = await probePair({ ...input, first: second!, second: first! })
  const opposite = { first: 'second', second: 'first' } as const
  expect(turned?.winner).toBe(found ? opposite[found.winner] : undefined)
  return { found, ran }
}

describe('probing a pair', () => {
  it('goes by what two results say, without a query', async () => {
    const { found, ran } = await probe(
      'What are the names of boats from Kiel?',
      "select name from boats where home_port = 'Kiel'",
      'select name from boats where length_m > 50',
    )
    expect(found).toEqual({ winner: 'first', reason: 'the other finds nothing' })
    expect(ran).toEqual([])
  })

  it('asks the database which of two texts it holds', async () => {
    const { found, ran } = await probe(
      'How many boats are not from Bergen?',
      "select count(*) from boats where home_port <> 'Bergen'",
      "select count(*) from boats where home_port <> 'bergen port'",
    )
    expect(found).toMatchObject({
      winner: 'first',
      reason: expect.stringMatching(/^looked up whether “Bergen”/),
    })
    expect(ran).toHaveLength(2)
  })

  it('says nothing where a probe could not be run, or finds both', async () => {
    const ask = (runProbe?: () => Promise<null>) =>
      probe(
        'How many boats are there of Bergen?',
        "select count(*) from boats where home_port = 'Kiel'",
        "select count(*) from boats where builder = 'Bergen'",
        runProbe,
      )
    expect((await ask()).found).toBeNull()
    const failing = await probe(
      'How many boats are not from Bergen?',
      "select count(*) from boats where home_port <> 'Bergen'",
      "select count(*) from boats where home_port <> 'bergen port'",
      async () => null,
    )
    expect(failing.found).toBeNull()
  })

  it('says nothing where what is found leans both ways, or only leans', async () => {
    // The longer list has the column that nobody asked for; the other has nothing in it.
    const { found } = await probe(
      'Which ports are there?',
      'select distinct home_port from boats',
      'select home_port from boats',
    )
    expect(found).toBeNull()
  })

  it('throws what running throws: that is how a stop goes through', async () => {
    const stopped = () => Promise.reject(new Error('stopped'))
    await expect(
      probe(
        'How many boats are not from Bergen?',
        "select count(*) from boats where home_port <> 'Bergen'",
        "select count(*) from boats where home_port <> 'bergen port'",
        stopped,
      ),
    ).rejects.toThrow('stopped')
  })
})
