import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeReadVerified } from '../../graphs/answer/verified/read-verified.ts'
import { SqlError } from '../../src/domain/errors.ts'
import type { VerifiedQuery } from '../../src/domain/verified-query.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { makeSaveVerified } from '../../src/verified-queries/save-verified.ts'
import { openBoatyard } from '../graphs/answer/verified/boatyard.ts'

const now = new Date('2026-11-20T12:00:00Z')

let yard: Awaited<ReturnType<typeof openBoatyard>>

beforeAll(async () => {
  yard = await openBoatyard()
})

afterAll(() => yard?.close())

/** Saves into a list; `isFree` says whether the question has no accepted query yet. */
const saving = (isFree = true) => {
  const kept: VerifiedQuery[] = []
  const save = makeSaveVerified({
    readVerified: makeReadVerified({
      understand: understandQuestion,
      clock: { now: () => now, timeZone: 'UTC' },
    }),
    insert: async query => {
      if (isFree) kept.push(query)
      return isFree
    },
    newId: () => 'id-1',
    now: () => now,
  })
  return { kept, save }
}

const asked = {
  question: ' Which boats\nfrom Kiel? ',
  sql: "SELECT name FROM boats WHERE home_port = 'Kiel'; ",
  savedBy: 'ada',
}

describe('saving a verified query', () => {
  it('stores it parsed and normalized, with its schema', async () => {
    const { kept, save } = saving()
    const { database } = yard
    const saved = await save({ ...asked, database, status: 'accepted' })
    expect(saved).toMatchObject({ status: 'saved', rowCount: 2 })
    expect(kept).toEqual([
      {
        id: 'id-1',
        database: 'boatyard',
        question: 'Which boats from Kiel?',
        maskedQuestion: 'which <name> from <value>',
        sql: "SELECT name FROM boats WHERE home_port = 'Kiel'",
        skeleton: expect.stringContaining('SELECT _ FROM _'),
        slots: [{ kind: 'value', at: [17, 21], table: 'boats', column: 'home_port', value: 'Kiel' }],
        touches: [
          {
            schema: null,
            name: 'boats',
            whole: false,
            columns: [
              { name: 'name', type: 'TEXT' },
              { name: 'home_port', type: 'TEXT' },
            ],
            definition: null,
          },
        ],
        fingerprint: database.catalog.fingerprint,
        status: 'accepted',
        savedBy: 'ada',
        savedAt: now,
        decidedBy: 'ada',
        decidedAt: now,
      },
    ])
  })

  it('records no decision for a proposal', async () => {
    const { kept, save } = saving()
    await save({ ...asked, database: yard.database, status: 'proposed' })
    expect(kept).toMatchObject([{ status: 'proposed', decidedBy: null, decidedAt: null }])
  })

  it.each([
    ['that writes', asked.question, 'DELETE FROM boats', /DELETE/],
    ['that does not parse', asked.question, 'SELECT FROM WHERE', /./],
    ['that does not run', asked.question, 'SELECT colour FROM boats', /colour/],
    ['without a question', ' \n', asked.sql, /empty/],
  ])('stores no SQL %s', async (_, question, sql, reason) => {
    const { kept, save } = saving()
    const saved = await save({ question, sql, savedBy: null, database: yard.database, status: 'accepted' })
    expect(saved).toEqual({ status: 'unfit', reason: expect.stringMatching(reason) })
    expect(kept).toEqual([])
  })

  it('refuses a question that has an accepted query', async () => {
    const { save } = saving(false)
    expect(await save({ ...asked, database: yard.database, status: 'accepted' })).toEqual({ status: 'taken' })
  })

  it('does not blame the SQL if the database is unavailable', async () => {
    const { save } = saving()
    const away = { ...yard.database, run: () => Promise.reject(new SqlError('connection', 'away')) }
    await expect(save({ ...asked, database: away, status: 'accepted' })).rejects.toThrow('away')
  })
})
