import type { Weights } from './features.ts'

/** How scores become probabilities: a logistic model over features of a list of readings. */
export type Calibration = Readonly<Record<string, number>>

/** All that training learned. */
export interface ParserModel {
  readonly weights: Weights
  readonly calibration: Calibration
}
