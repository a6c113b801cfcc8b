import { describe, expect, it } from 'vitest'
import { candidateMeasures } from '../../../src/ranking/features/candidate-measures.ts'
import { familyOf, reasonOf } from '../../../src/ranking/features/feature-reasons.ts'
import { groupMeasures } from '../../../src/ranking/features/measure-groups.ts'
import { mismatchMeasures } from '../../../src/ranking/question-match/compare-with-question.ts'

const names = [
  ...candidateMeasures.map(({ name }) => name),
  ...groupMeasures.map(({ name }) => name),
  ...mismatchMeasures.map(({ name }) => `mismatch-${name}`),
  'literal-absent',
  'prior-log-likelihood',
  'prior-surprise-shown',
  'prior-surprise-rows',
  'prior-surprise-way',
  'prior-columns',
  'prior-columns-extra',
  'prior-columns-missing',
]

describe('features', () => {
  it.each(names)('%s has a reason in words and a family', name => {
    expect(reasonOf(name)).toMatch(/^\p{L}.{5,}[^.]$/u)
    expect(familyOf(name)).not.toBeNull()
  })

  it('have one name each', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  it('that this version does not know have neither', () => {
    expect([reasonOf('mood'), familyOf('mood'), reasonOf('mismatch-mood')]).toEqual([null, null, null])
  })
})
