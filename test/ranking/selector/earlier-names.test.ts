import { expect, it } from 'vitest'
import { selectorModelSchema, utilityOf } from '../../../src/ranking/selector/selector-model.ts'
import { StoredMeasuredGroup } from '../../../src/store/repositories/selectors.ts'

const measures = {
  'back-amiss': 2,
  'back-unread-words': 1,
  witness: 0.5,
  'witness-log': 3,
  'expect-columns': 4,
}

const model = {
  version: 'of an earlier version',
  provenance: { databases: [], trainedOn: [], method: '', date: '2026-11-21' },
  features: Object.keys(measures).map((name, at) => ({ name, scale: 1, weight: 10 ** at })),
  calibration: [0],
}

it('reads what an earlier version measured under the names of today', () => {
  const group = StoredMeasuredGroup.parse({ key: 'A', candidateIds: ['1'], representativeId: '1', measures })
  expect(group.measures).toEqual({
    'mismatch-several': 2,
    'mismatch-unread-words': 1,
    parser: 0.5,
    'parser-log': 3,
    'prior-columns': 4,
  })
})

it('ranks by a selector of an earlier version as that version did', () => {
  const group = StoredMeasuredGroup.parse({ key: 'A', candidateIds: ['1'], representativeId: '1', measures })
  expect(utilityOf(group, selectorModelSchema.parse(model))).toBe(2 + 10 + 50 + 3_000 + 40_000)
})
