import type { ComparePair, LabeledGroups, MeasuredGroup } from '../../domain/selection/ranking.ts'
import type { FeedbackSignal } from './signals.ts'

/** Two selectors on the same statements. Losses are logistic, per unit of weight: lower is better. */
interface VoteComparison {
  readonly questions: number
  readonly champion: number
  readonly challenger: number
  /** Champion's loss less the challenger's. */
  readonly gain: number
  /** Of the gain, over questions: those of one question hang together. */
  readonly standardError: number
}

/**
 * How well each selector predicts what people said, wrong clicks included: minus the log of the probability of each
 * claim, paired by question. All zero without statements.
 */
export const compareOnVotes = (
  statements: readonly FeedbackSignal[],
  { champion, challenger }: { readonly champion: ComparePair; readonly challenger: ComparePair },
): VoteComparison => {
  const questions = [...Map.groupBy(statements, ({ questionId }) => questionId).values()].map(own => ({
    weight: own.reduce((sum, { weight }) => sum + weight, 0),
    champion: lossOf(own, champion),
    challenger: lossOf(own, challenger),
  }))
  const total = questions.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (of: (question: (typeof questions)[number]) => number): number =>
    total === 0 ? 0 : questions.reduce((sum, question) => sum + of(question), 0) / total
  const gain = mean(question => question.champion - question.challenger)
  const spread = questions.reduce(
    (sum, { weight, champion, challenger }) => sum + (champion - challenger - gain * weight) ** 2,
    0,
  )
  return {
    questions: questions.length,
    champion: mean(question => question.champion),
    challenger: mean(question => question.challenger),
    gain,
    standardError: total === 0 ? 0 : Math.sqrt(spread) / total,
  }
}

const lossOf = (statements: readonly FeedbackSignal[], compare: ComparePair): number =>
  statements.reduce((sum, statement) => {
    const { groups, weight } = statement
    const probability = selectorBeliefs(groups, compare).reduce(
      (sum, belief, at) => sum + belief * likelihoodOfClaim(statement, groups[at]!.key),
      NONE_RIGHT * likelihoodOfClaim(statement, null),
    )
    return sum - weight * Math.log(probability)
  }, 0)

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

/**
 * How likely a person makes this claim if `truth` is the key of the right group; null if none is right. A wrong click
 * hits any other group equally often; a comparison of two says nothing if neither is right.
 */
export const likelihoodOfClaim = (
  { claim, slip, groups }: Pick<FeedbackSignal, 'claim' | 'slip' | 'groups'>,
  truth: string | null,
): number => {
  switch (claim.kind) {
    case 'right':
      return truth === claim.key ? 1 - slip : slip
    case 'wrong':
      return truth === claim.key ? slip : 1 - slip
    case 'named': {
      // Every drafted result or another one: that which is held, or by a slip any of the others.
      const isDrafted = groups.some(({ key }) => key === claim.key)
      return truth === (isDrafted ? claim.key : null) ? 1 - slip : slip / groups.length
    }
    case 'better':
      return truth === claim.key ? 1 - slip : truth === claim.than ? slip : 0.5
    default: {
      const never: never = claim
      return never
    }
  }
}

/** In how many questions of a hundred no drafted result is right: one in ten on real candidates. */
export const NONE_RIGHT = 0.1

/** So certain a comparison would divide by zero. */
const MOST_CERTAIN = 1 - 1e-9

/**
 * What a selector believes of each group of a question, in their order: probabilities that it is the right one, adding up
 * to 1 less that of none. From comparisons with the first alone: where P(A beats B) is sigmoid(u(A) - u(B)), the odds of
 * each against the first are those of a softmax over u.
 */
export const selectorBeliefs = (
  groups: readonly MeasuredGroup[],
  compare: ComparePair,
): readonly number[] => {
  const [first] = groups
  if (first === undefined) return []
  const odds = groups.map(group => {
    const wins = Math.min(compare(group, first), MOST_CERTAIN)
    return wins / (1 - wins)
  })
  const total = odds.reduce((sum, one) => sum + one, 0)
  return odds.map(one => (one / total) * (1 - NONE_RIGHT))
}
