import type { MeasuredGroup } from '../../../src/domain/selection/ranking.ts'
import type { SelectorModel } from '../../../src/ranking/selector/selector-model.ts'

/** A group of `size` candidates with what was measured of it. */
export const makeMeasured = (
  key: string,
  measures: Readonly<Record<string, number>> = {},
  size = 1,
): MeasuredGroup => ({
  key,
  candidateIds: Array.from({ length: size }, (_, at) => `${key}${at}`),
  representativeId: `${key}0`,
  measures,
})

/** A selector with these weights, one unit each, that is as sure of a choice as its intercept says. */
export const makeSelectorModel = (
  weights: Readonly<Record<string, number>>,
  calibration: readonly number[] = [0],
): SelectorModel => ({
  version: 'test',
  provenance: { databases: [], trainedOn: [], method: '', date: '2026-11-21' },
  features: Object.entries(weights).map(([name, weight]) => ({ name, scale: 1, weight })),
  calibration: [...calibration],
})
