import type { JudgePair, RatePair } from '../../../src/core/judge-pair.ts'

/** By whom groups are compared: a judge, asked for little or much, and a local scorer that costs nothing. */
export interface Pairwise {
  /** Null where no model is to be asked. */
  readonly judge: JudgePair | null
  readonly rate: RatePair
}
