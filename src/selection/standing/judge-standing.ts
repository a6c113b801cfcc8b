import type { JudgeStanding, Standing } from '../../core/standing.ts'
import { weigh } from '../weigh.ts'
import { measureStanding } from './measure-standing.ts'
import type { StandingModel } from './standing-model.ts'

/** So many independent witnesses a leader must have: agreement of correlated samples is not correctness. */
const WITNESSES = 2

/**
 * Makes the rule that says when to stop. A threshold on the probability alone spends its drafts on questions that
 * never become sure; this weighs what further drafts are expected to change against their cost (optimal stopping by
 * fitted value iteration; Tsitsiklis and Van Roy 2001, section II). Besides, two lineages have to stand behind a leader
 * wherever two have spoken.
 */
export const makeJudgeStanding =
  ({ going }: Pick<StandingModel, 'going'>): JudgeStanding =>
  standing => {
    const measures = measureStanding(standing)
    if (measures === null) return { goOn: true, gain: 1, reason: 'nothing has run yet' }
    const weights = going[Math.min(standing.ballots, going.length) - 1]
    const gain = weights === undefined ? 0 : weigh(measures, weights)
    if (gain > 0) return { goOn: true, gain, reason: 'a further draft is expected to be worth its cost' }
    if (witnessesOf(standing) < Math.min(WITNESSES, speakersOf(standing)))
      return { goOn: true, gain, reason: 'only one lineage stands behind the leading result' }
    if (standing.ballots < WITNESSES && witnessesOf(standing) < WITNESSES)
      return { goOn: true, gain, reason: 'one draft alone is no agreement' }
    return { goOn: false, gain, reason: 'a further draft is not expected to be worth its cost' }
  }

const witnessesOf = ({ groups: [leader] }: Standing): number =>
  (leader?.lineages ?? 0) + (leader !== undefined && leader.prior > 0 ? 1 : 0)

/** A path that knows its odds has spoken too, whether or not the leader is what it said. */
const speakersOf = ({ lineages, groups: [leader], otherPrior }: Standing): number =>
  lineages + ((leader?.prior ?? 0) > 0 || otherPrior > 0 ? 1 : 0)
