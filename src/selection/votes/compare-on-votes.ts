import type { ComparePair } from '../../core/selector.ts'
import { NONE_RIGHT, selectorBeliefs } from './beliefs.ts'
import { likelihoodOfClaim } from './likelihood-of-claim.ts'
import type { FeedbackSignal } from './read-statements.ts'

/** Two selectors on the same statements. Losses are logistic, per unit of weight: lower is better. */
export interface VoteComparison {
  readonly questions: number
  readonly champion: number
  readonly challenger: number
  /** Champion's loss less the challenger's. */
  readonly gain: number
  /** Of the gain, over questions: those of one question hang together. */
  readonly standardError: number
}

/**
 * How well each selector foretells what people said, slips included: minus the log of the probability of each claim,
 * paired by question. All nought without statements.
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
