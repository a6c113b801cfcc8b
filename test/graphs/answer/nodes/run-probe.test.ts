import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRunProbe } from '../../../../graphs/answer/nodes/compare-groups.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { openBoatyard } from '../verified/boatyard.ts'

let yard: Awaited<ReturnType<typeof openBoatyard>>

beforeAll(async () => {
  yard = await openBoatyard()
})

afterAll(() => yard?.close())

/** The boatyard, and what is run in it. */
const counting = (): { readonly database: Pick<Database, 'guard' | 'run'>; readonly ran: () => number } => {
  let runs = 0
  const { guard, run } = yard.database
  return {
    database: {
      guard,
      run: (sql, options) => {
        runs += 1
        return run(sql, options)
      },
    },
    ran: () => runs,
  }
}

describe('running a probe', () => {
  it('goes through the guard, and runs equal ones once', async () => {
    const { database, ran } = counting()
    const runProbe = makeRunProbe(database, {})
    const [one, again] = await Promise.all([
      runProbe('select count(*) from boats'),
      runProbe('select count(*) from boats'),
    ])
    expect(one?.rows).toEqual([[5]])
    expect(again).toBe(one)
    expect(await runProbe('delete from boats')).toBeNull()
    expect(ran()).toBe(1)
  })

  it('is nothing where the database has no answer, and after twenty', async () => {
    const { database, ran } = counting()
    const runProbe = makeRunProbe(database, {})
    expect(await runProbe('select * from ships')).toBeNull()
    for (let at = 0; at < 19; at++)
      expect((await runProbe(`select ${at} from boats limit 1`))?.rows).toEqual([[at]])
    expect(await runProbe('select 99 from boats')).toBeNull()
    expect(ran()).toBeLessThanOrEqual(20)
  })

  it('stops when it is told to', async () => {
    const { database } = counting()
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await expect(
      makeRunProbe(database, { signal: stop.signal })('select count(*) from boats'),
    ).rejects.toThrow('enough')
  })
})
