import type { DecidePairWinner, RatePair } from '../../../src/core/judge-pair.ts'
import type { ProbePair } from '../../../src/core/probe-pair.ts'

/** By whom groups are compared: a judge, asked for little or much, and what may spare asking it. */
export interface PairwiseJudges {
  /** Null where no model is to be asked. */
  readonly judge: DecidePairWinner | null
  /** A local scorer that costs nothing. */
  readonly rate: RatePair
  /** Looks before the judge is asked; left out where nothing is to be looked up. */
  readonly probe?: ProbePair
}
