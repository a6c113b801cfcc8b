import { describe, expect, it } from 'vitest'
import type { MeantPhrase, PhraseMeaning } from '../../../src/domain/metrics/meant-phrase.ts'
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

const umea: PhraseMeaning = {
  ...{ kind: 'value', table: 'grower', columns: ['city'], value: 'Umea', isAccepted: false },
}

describe.each(['sqlite', 'postgres'] as const)('what is observed of a candidate, %s', dialect => {
  const catalog = { ...nursery, dialect }
  const known = { catalog, findValues: () => [] }
  const read: string[] = []
  const findMeantPhrases = (asked: string): readonly MeantPhrase[] => {
    read.push(asked)
    return [{ text: 'Umea', quality: 1, meanings: [umea] }]
  }
  const observe = makeObserveCandidate({ shapePrior: shippedShapePrior, findMeantPhrases })
  const observation = observe({ sql, question, table }, known)

  it('is what execution, the statement and the question say, without what is 0', () => {
    expect(observation.measures).toMatchObject({
      'result-number-missed': 1,
      'result-repeats': 1,
      'result-null-share': 0.3333,
      'result-columns': 1,
      'sql-sources': 2,
      'layer-value-missing': 1,
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
    for (let at = 0; at < 20; at++) observe({ sql, question: `question ${at}`, table }, known)
    expect(observe({ sql, question, table }, known)).toEqual(observation)
    const other = makeObserveCandidate({ shapePrior: shippedShapePrior, findMeantPhrases })
    expect(other({ sql, question, table }, known)).toEqual(observation)
  })

  it('reads a question once for all of its candidates', () => {
    read.length = 0
    for (const one of ['select 1', 'select 2']) observe({ sql: one, question: 'How many?', table }, known)
    expect(read).toEqual(['How many?'])
  })

  it('still observes the result of a statement that nobody can read', () => {
    const { measures, parts, sketch } = observe({ sql: 'select name, from where', question, table }, known)
    expect(measures).toMatchObject({ 'sql-unread': 1, 'result-repeats': 1 })
    expect(measures).not.toHaveProperty('prior-log-likelihood')
    expect(parts.clause).toEqual([])
    expect(sketch.columns).toHaveLength(1)
  })
})
