import type { JudgeStanding, RateStanding } from '../../core/standing.ts'
import { measureStanding } from './measure-standing.ts'
import type { StandingModel } from './standing-model.ts'

/** Makes the calibrated probability that the leading group is right (logistic over the measures). */
export const makeRateStanding =
  ({ rating }: Pick<StandingModel, 'rating'>): RateStanding =>
  standing => {
    const measures = measureStanding(standing)
    return measures === null ? 0 : 1 / (1 + Math.exp(-weigh(measures, rating)))
  }

/**
 * Makes the rule that says when to stop. A threshold on the probability alone spends its drafts on questions that
 * never become sure; this weighs what further drafts are expected to change against their cost (optimal stopping by
 * fitted value iteration; Tsitsiklis and Van Roy 2001, section II). Going on is always worth it while nothing has run.
 */
export const makeJudgeStanding =
  ({ going }: Pick<StandingModel, 'going'>): JudgeStanding =>
  standing => {
    const measures = measureStanding(standing)
    if (measures === null) return { goOn: true, gain: 1 }
    const weights = going[Math.min(standing.ballots, going.length) - 1]
    const gain = weights === undefined ? 0 : weigh(measures, weights)
    return { goOn: gain > 0, gain }
  }

const weigh = (measures: readonly number[], [intercept = 0, ...weights]: readonly number[]): number =>
  measures.reduce((sum, measure, i) => sum + measure * (weights[i] ?? 0), intercept)
