import type { ComparePair, LabeledGroups } from '../../core/selector.ts'
import { NONE_RIGHT, selectorBeliefs } from './beliefs.ts'
import { likelihoodOfClaim } from './likelihood-of-claim.ts'
import type { FeedbackSignal } from './read-statements.ts'

/** A group that is less likely right than this adds next to nothing, and costs as much as any other. */
const LEAST_WEIGHT = 0.01

/**
 * A statement as training reads it: the question once for each group that may be right, weighed by how likely that is
 * after the statement, given what the selector believed before (the expectation step of EM for labels with noise; Dawid
 * and Skene 1979). So a claim that agrees with a firm belief moves nothing, a thumb down on a sure answer is mostly
 * taken for a slip, and one on a doubtful answer counts. The weights add up to at most that of the statement; what is
 * missing is that none is right.
 */
export const toLabeledGroups = (
  statement: FeedbackSignal,
  believe: ComparePair,
): readonly LabeledGroups[] => {
  const { questionId, database, groups, weight } = statement
  const joint = selectorBeliefs(groups, believe).map(
    (belief, at) => belief * likelihoodOfClaim(statement, groups[at]!.key),
  )
  const total = joint.reduce((sum, part) => sum + part, NONE_RIGHT * likelihoodOfClaim(statement, null))
  return groups.flatMap(({ key }, at) => {
    const likely = joint[at]! / total
    return likely < LEAST_WEIGHT
      ? []
      : [{ id: questionId, database, groups, right: new Set([key]), weight: weight * likely }]
  })
}
