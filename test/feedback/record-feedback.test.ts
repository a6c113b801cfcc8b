import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqlError } from '../../src/domain/errors.ts'
import type { Feedback, StoredFeedback } from '../../src/domain/feedback.ts'
import { makeRecordFeedback } from '../../src/feedback/record-feedback.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { openBoatyard } from '../graphs/answer/verified/boatyard.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'

const now = new Date('2026-11-20T12:00:00Z')

let yard: Awaited<ReturnType<typeof openBoatyard>>

beforeAll(async () => {
  yard = await openBoatyard()
})

afterAll(() => yard?.close())

/** The key that the result of a statement has. */
const keyOf = async (sql: string): Promise<string> => {
  const verdict = yard.database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return resultKey(await yard.database.run(verdict.guarded), { ordered: false })
}

const kiel = "SELECT name FROM boats WHERE home_port = 'Kiel'"

const recording = async (parts: Partial<Parameters<typeof makeRecordFeedback>[0]> = {}) => {
  const list: StoredFeedback[] = []
  const candidates = [
    makeCandidate({ id: 'c1', run: ranWith('shown') }),
    makeCandidate({ id: 'c2', run: ranWith(await keyOf(kiel)) }),
    makeCandidate({ id: 'c3', run: { status: 'failed', errorClass: 'syntax', message: '' } }),
  ]
  const record = makeRecordFeedback({
    findAnswer: async id => (id === 'q1' ? { candidateId: 'c1' } : null),
    findQuestion: async () => ({ database: 'boatyard' }),
    listCandidates: async () => candidates,
    openDatabase: async name => {
      expect(name).toBe('boatyard')
      return yard.database
    },
    resultKey,
    upsertFeedback: async kept => {
      list.push(kept)
    },
    now: () => now,
    ...parts,
  })
  return {
    list,
    record: (feedback: Feedback, questionId = 'q1') => record({ questionId, person: 'U1', feedback }),
  }
}

it('does not run SQL again if its result is known', async () => {
  const { list, record } = await recording({
    openDatabase: async name => {
      throw new Error(`${name} is opened`)
    },
  })
  for (const kind of ['sql', 'edit'] as const)
    expect(await record({ kind, sql: kiel, groupKey: 'of kiel' })).toMatchObject({ status: 'stored' })
  expect(list.map(({ kind, groupKey }) => `${kind} ${groupKey}`)).toEqual(['sql of kiel', 'edit of kiel'])
})

describe('recording what a person did about an answer', () => {
  it("stores a reason, an export and a verification with the answer's group", async () => {
    const { list, record } = await recording()
    await record({ kind: 'reason', reason: 'wrong-period', note: 'meant last year' })
    await record({ kind: 'export' })
    expect(await record({ kind: 'verification' })).toEqual({ status: 'stored', stored: list[2] })
    expect(list.map(({ kind, groupKey }) => `${kind} ${groupKey}`)).toEqual([
      'reason shown',
      'export shown',
      'verification shown',
    ])
    expect(list[0]).toEqual({
      questionId: 'q1',
      person: 'U1',
      kind: 'reason',
      answerKey: 'shown',
      groupKey: 'shown',
      reason: 'wrong-period',
      note: 'meant last year',
      sql: null,
      givenAt: now,
    })
  })

  it('finds the group of SQL by running it, in any order of columns and rows', async () => {
    const { list, record } = await recording()
    const sql = `${kiel} ORDER BY name DESC`
    await record({ kind: 'sql', sql })
    await record({ kind: 'edit', sql: 'SELECT count(*) FROM boats' })
    expect(list[0]).toMatchObject({ kind: 'sql', sql, answerKey: 'shown', groupKey: await keyOf(kiel) })
    expect(list[1]).toMatchObject({ kind: 'edit', groupKey: await keyOf('SELECT count(*) FROM boats') })
  })

  it('stores no SQL that would write or does not run, and says why', async () => {
    const { list, record } = await recording()
    expect(await record({ kind: 'sql', sql: 'DELETE FROM boats' })).toMatchObject({
      status: 'unfit',
      reason: expect.stringMatching(/DELETE/i),
    })
    expect(await record({ kind: 'edit', sql: 'SELECT keel FROM boats' })).toMatchObject({
      status: 'unfit',
      reason: expect.stringContaining('keel'),
    })
    expect(list).toEqual([])
  })

  it('stores an offered alternative, and no other', async () => {
    const { list, record } = await recording()
    const groupKey = await keyOf(kiel)
    expect(await record({ kind: 'alternative', groupKey })).toMatchObject({ status: 'stored' })
    expect(await record({ kind: 'alternative', groupKey: 'made up' })).toMatchObject({ status: 'unfit' })
    expect(list.map(({ groupKey }) => groupKey)).toEqual([groupKey])
  })

  it('reports a missing answer', async () => {
    const { record } = await recording()
    expect(await record({ kind: 'export' }, 'q2')).toEqual({ status: 'gone' })
    const replaced = await recording({ listCandidates: async () => [] })
    expect(await replaced.record({ kind: 'export' })).toEqual({ status: 'gone' })
  })

  it('rejects if the database is unavailable, so the person can try again', async () => {
    const { record } = await recording({
      openDatabase: async () => ({
        ...yard.database,
        run: () => Promise.reject(new SqlError('connection', 'no route to the server')),
      }),
    })
    await expect(record({ kind: 'sql', sql: kiel })).rejects.toThrow('no route')
  })
})
