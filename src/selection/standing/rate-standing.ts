import type { RateStanding } from '../../core/standing.ts'
import { weigh } from '../weigh.ts'
import { measureStanding } from './measure-standing.ts'
import type { StandingModel } from './standing-model.ts'

/** Makes the calibrated probability that the leading group is right (logistic over the measures). */
export const makeRateStanding =
  ({ rating }: Pick<StandingModel, 'rating'>): RateStanding =>
  standing => {
    const measures = measureStanding(standing)
    return measures === null ? 0 : 1 / (1 + Math.exp(-weigh(measures, rating)))
  }
