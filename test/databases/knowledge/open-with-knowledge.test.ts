import { describe, expect, it } from 'vitest'
import { withAcceptedRules } from '../../../src/databases/knowledge/open-with-knowledge.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { ProposedRule } from '../../../src/domain/knowledge.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { harbor } from '../../clarification/harbor.ts'

const database = { name: 'harbour', catalog: harbor, findValues: () => [] } as unknown as Database

const rule = (id: string): ProposedRule => ({
  id,
  database: 'harbour',
  questionId: id,
  question: 'boats by port?',
  phrase: `port ${id}`,
  meaning: 'build port',
  sql: null,
  columns: ['Boats.build_port'],
  status: 'accepted',
  proposedBy: 'ada',
  proposedAt: new Date(0),
  decidedBy: 'bo',
  decidedAt: new Date(0),
})

const house = () => {
  const seen = { rules: [rule('1')], reads: 0, at: 0, isAway: false }
  const open = withAcceptedRules(async () => database, {
    listRules: async only => {
      seen.reads += 1
      expect(only).toEqual({ database: 'harbour', status: 'accepted' })
      if (seen.isAway) throw new Error('the store is away')
      return seen.rules
    },
    now: () => seen.at,
    log: silentLog,
  })
  return { seen, open }
}

describe('a database with accepted rules', () => {
  it('has those that name columns or values of its own rows, for a person who does not see all rows', async () => {
    const port = (id: string, sql: string | null, columns: readonly string[]): ProposedRule => ({
      ...rule(id),
      ...{ sql, columns },
      meaning: sql ?? 'the one in Bergen',
    })
    const rules = [
      port('1', "build_port = 'Oslo'", []),
      port('2', "build_port = 'Bergen'", []),
      port('3', null, ['Boats.build_port']),
      port('4', null, []),
      { ...port('5', "build_port = 'Oslo'", []), phrase: null },
    ]
    const findValues: Database['findValues'] = keyword =>
      keyword === 'Oslo' ? [{ keyword, table: 'Boats', column: 'build_port', value: 'Oslo', score: 1 }] : []
    const namesFor = async (given: Partial<Database>) => {
      const open = withAcceptedRules(async () => ({ ...database, dialect: 'sqlite', findValues, ...given }), {
        ...{ listRules: async () => rules, now: () => 0, log: silentLog },
      })
      return (await open('harbour')).knowledge?.terms.map(({ name }) => name)
    }
    expect(await namesFor({ rights: { key: 'k' } as Database['rights'] & object })).toEqual([
      'port 1',
      'port 3',
    ])
    expect(await namesFor({})).toEqual(['port 1', 'port 2', 'port 3', 'port 4'])
  })

  it('is the same object as long as nothing changes, and reads the rules once in a while', async () => {
    const { seen, open } = house()
    const first = await open('harbour')
    expect(first.knowledge?.terms.map(({ name }) => name)).toEqual(['port 1'])
    expect(await open('harbour')).toBe(first)
    expect(seen.reads).toBe(1)
    seen.at = 6_000
    expect(await open('harbour')).toBe(first)
    expect(seen.reads).toBe(2)
  })

  it('knows of a rule that was accepted meanwhile', async () => {
    const { seen, open } = house()
    await open('harbour')
    seen.rules = [rule('1'), rule('2')]
    seen.at = 6_000
    expect((await open('harbour')).knowledge?.terms).toHaveLength(2)
  })

  it('answers without rules that cannot be read', async () => {
    const { seen, open } = house()
    seen.isAway = true
    expect(await open('harbour')).toBe(database)
  })
})
