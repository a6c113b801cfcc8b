/** Where the local scorer is trusted without a judge; probabilities from 0 to 1. */
export interface KnockOutRules {
  /** No judge is asked about a leader as sure as this. */
  readonly sureLeader: number
  /** Nor about a pair of which one is as sure as this to be the right one, if either is. */
  readonly surePair: number
  /** Groups that take part at most; one fewer are the comparisons. */
  readonly leading: number
}

/** What the adaptive mode goes by: see docs/how-it-works.md for the trade. */
export const knockOutRules: KnockOutRules = { sureLeader: 0.8, surePair: 0.8, leading: 4 }
