import type { RateTally } from '../../core/standing.ts'
import { linearScore } from '../weigh.ts'
import { measureTally } from './measure-standing.ts'
import type { StoppingModel } from './standing-model.ts'

/** Makes the calibrated probability that the leading group is right (logistic over the measures). */
export const makeRateTally =
  ({ rating }: Pick<StoppingModel, 'rating'>): RateTally =>
  standing => {
    const measures = measureTally(standing)
    return measures === null ? 0 : 1 / (1 + Math.exp(-linearScore(measures, rating)))
  }
