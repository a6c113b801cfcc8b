import { describe, expect, it } from 'vitest'
import { addAcceptedRules } from '../../../src/databases/knowledge/apply-knowledge.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { ProposedRule } from '../../../src/domain/knowledge.ts'
import { harbor } from '../../clarification/harbor.ts'

const database: Database = {
  name: 'harbour',
  dialect: 'sqlite',
  catalog: harbor,
  findValues: () => [],
  guard: () => ({ verdict: 'refuse', reason: 'not asked' }),
  run: async () => {
    throw new Error('nothing runs here')
  },
  indexMilliseconds: 0,
} as unknown as Database

const rule = (given: Partial<ProposedRule>): ProposedRule => ({
  id: '0123456789',
  database: 'harbour',
  questionId: 'q',
  question: 'boats by port?',
  phrase: 'port',
  meaning: 'build port of the boat',
  sql: null,
  columns: ['Boats.build_port'],
  status: 'accepted',
  proposedBy: 'ada',
  proposedAt: new Date(0),
  decidedBy: 'bo',
  decidedAt: new Date(0),
  ...given,
})

describe('accepted rules', () => {
  it('change nothing where there are none', () => {
    expect(addAcceptedRules(database, [])).toBe(database)
  })

  it('are terms for prompts, and other names of columns for the parser', () => {
    const { knowledge, catalog } = addAcceptedRules(database, [rule({})])
    expect(knowledge?.terms).toMatchObject([
      { name: 'port', meaning: 'build port of the boat', columns: ['Boats.build_port'] },
    ])
    const boats = catalog.tables.find(({ name }) => name === 'Boats')
    expect(boats?.columns.find(({ name }) => name === 'build_port')?.synonyms).toEqual(['port'])
  })

  it('are values that are found by their words', () => {
    const { findValues } = addAcceptedRules(database, [
      rule({ phrase: 'locals', sql: "Owners.county = 'Fresno'", columns: ['Owners.county'] }),
    ])
    expect(findValues('locals')).toMatchObject([{ table: 'Owners', column: 'county', value: 'Fresno' }])
    expect(findValues('strangers')).toEqual([])
  })

  it('about a question as a whole are rules that name it', () => {
    const { knowledge } = addAcceptedRules(database, [
      rule({ phrase: null, meaning: 'only afloat', columns: [] }),
    ])
    expect(knowledge?.rules.map(({ text }) => text)).toEqual([
      'Asked “boats by port?”, people meant: only afloat',
    ])
  })

  it('that name what is not there, or no longer, are left out', () => {
    const { knowledge, catalog } = addAcceptedRules(database, [rule({ columns: ['Boats.harbour'] })])
    expect(knowledge?.terms).toEqual([])
    expect(catalog).toEqual(harbor)
  })
})
