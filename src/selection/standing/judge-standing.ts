import type { DecideDrafting, VoteTally } from '../../core/standing.ts'
import { linearScore } from '../weigh.ts'
import { measureTally } from './measure-standing.ts'
import type { StoppingModel } from './standing-model.ts'

/** So many independent witnesses a leader must have: agreement of correlated samples is not correctness. */
const INDEPENDENT_LINEAGES = 2

/**
 * Makes the rule that says when to stop. A threshold on the probability alone spends its drafts on questions that
 * never become sure; this weighs what further drafts are expected to change against their cost (optimal stopping by
 * fitted value iteration; Tsitsiklis and Van Roy 2001, section II). Besides, two lineages have to stand behind a leader
 * wherever two have spoken.
 */
export const makeStoppingRule =
  ({ going }: Pick<StoppingModel, 'going'>): DecideDrafting =>
  standing => {
    const measures = measureTally(standing)
    if (measures === null) return { continues: true, gain: 1, reason: 'nothing has run yet' }
    const weights = going[Math.min(standing.votes, going.length) - 1]
    const gain = weights === undefined ? 0 : linearScore(measures, weights)
    if (gain > 0) return { continues: true, gain, reason: 'a further draft is expected to be worth its cost' }
    if (supportersOf(standing) < Math.min(INDEPENDENT_LINEAGES, speakersOf(standing)))
      return { continues: true, gain, reason: 'only one lineage stands behind the leading result' }
    if (standing.votes < INDEPENDENT_LINEAGES && supportersOf(standing) < INDEPENDENT_LINEAGES)
      return { continues: true, gain, reason: 'one draft alone is no agreement' }
    return { continues: false, gain, reason: 'a further draft is not expected to be worth its cost' }
  }

const supportersOf = ({ groups: [leader] }: VoteTally): number =>
  (leader?.lineages ?? 0) + (leader !== undefined && leader.prior > 0 ? 1 : 0)

/** A path that knows its odds has spoken too, whether or not the leader is what it said. */
const speakersOf = ({ lineages, groups: [leader], otherPrior }: VoteTally): number =>
  lineages + ((leader?.prior ?? 0) > 0 || otherPrior > 0 ? 1 : 0)
