/** Where the local scorer is trusted without a judge; probabilities from 0 to 1. */
export interface TournamentRules {
  /** No judge is asked about a leader as sure as this. */
  readonly sureLeader: number
  /** Nor about a pair of which one is as sure as this to be the right one, if either is. */
  readonly surePair: number
  /** Groups that take part at most; one fewer are the comparisons. */
  readonly leading: number
}

/**
 * What the adaptive mode goes by: at these a judge who is right about 58 % of pairs harms little, and about 80 % helps a
 * little (docs/evaluation.md, "Is a judge worth its cost?").
 */
export const tournamentRules: TournamentRules = { sureLeader: 0.7, surePair: 0.7, leading: 4 }

/** Where the question uses a term of the team, which only a judge is told of: then nothing is sure without one. */
export const cautiousRules: TournamentRules = { ...tournamentRules, sureLeader: 1, surePair: 1 }
