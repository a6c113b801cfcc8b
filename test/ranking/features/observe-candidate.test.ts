import { describe, expect, it } from 'vitest'
import type { ResultTable } from '../../../src/domain/result.ts'
import { shippedShapePrior } from '../../../src/ranking/evidence.ts'
import { familyOf, reasonOf } from '../../../src/ranking/features/feature-reasons.ts'
import { makeObserveCandidate } from '../../../src/ranking/features/observe-candidate.ts'
import { nursery } from '../shape-prior/nursery.ts'

const table: ResultTable = {
  columns: [{ name: 'name', kind: 'text' }],
  rows: [['Fern'], ['Fern'], [null]],
  truncated: null,
  milliseconds: 1,
}

const question = 'How many plants are grown in Lund?'

const sql = "select p.name from plant p join grower g on g.grower_id = p.grower_id where g.city = 'Lund'"

describe.each(['sqlite', 'postgres'] as const)('what is observed of a candidate, %s', dialect => {
  const catalog = { ...nursery, dialect }
  const observe = makeObserveCandidate(shippedShapePrior)
  const observation = observe({ sql, question, table }, catalog)

  it('is what execution, the statement and the question say, without what is 0', () => {
    expect(observation.measures).toMatchObject({
      'result-number-missed': 1,
      'result-repeats': 1,
      'result-null-share': 0.3333,
      'result-columns': 1,
      'sql-sources': 2,
    })
    expect(observation.measures).toHaveProperty('prior-log-likelihood')
    expect(Object.keys(observation.measures).some(name => name.startsWith('mismatch-'))).toBe(true)
    expect(Object.values(observation.measures)).not.toContain(0)
    expect(observation.measures).not.toHaveProperty('sql-distinct')
  })

  it('has a reason and a family for everything', () => {
    for (const name of Object.keys(observation.measures)) {
      expect(familyOf(name), name).not.toBeNull()
      expect(reasonOf(name), name).toMatch(/\w/)
    }
  })

  it('says the same again, also after other questions of the same catalog', () => {
    for (let at = 0; at < 20; at++) observe({ sql, question: `question ${at}`, table }, catalog)
    expect(observe({ sql, question, table }, catalog)).toEqual(observation)
    expect(makeObserveCandidate(shippedShapePrior)({ sql, question, table }, catalog)).toEqual(observation)
  })

  it('still observes the result of a statement that nobody can read', () => {
    const { measures, parts, sketch } = observe({ sql: 'select name, from where', question, table }, catalog)
    expect(measures).toMatchObject({ 'sql-unread': 1, 'result-repeats': 1 })
    expect(measures).not.toHaveProperty('prior-log-likelihood')
    expect(parts.clause).toEqual([])
    expect(sketch.columns).toHaveLength(1)
  })
})
