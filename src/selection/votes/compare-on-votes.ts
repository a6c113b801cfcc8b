import type { ComparePair, LabelledGroups } from '../../core/selector.ts'
import { toPairs } from './to-pairs.ts'

/** Two selectors on the same votes. Losses are logistic, per unit of weight: lower is better. */
export interface VoteComparison {
  readonly questions: number
  readonly champion: number
  readonly challenger: number
  /** Champion's loss less the challenger's. */
  readonly gain: number
  /** Of the gain, over questions: those of one question hang together. */
  readonly standardError: number
}

/** A certain selector that errs would cost without end. */
const LEAST_PROBABILITY = 1e-6

/** Compares two selectors in pairs, question by question. All nought without votes. */
export const compareOnVotes = (
  votes: readonly LabelledGroups[],
  { champion, challenger }: { readonly champion: ComparePair; readonly challenger: ComparePair },
): VoteComparison => {
  const questions = [...Map.groupBy(votes, ({ id }) => id).values()].map(own => ({
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

const lossOf = (votes: readonly LabelledGroups[], compare: ComparePair): number =>
  votes
    .flatMap(toPairs)
    .reduce(
      (sum, { better, worse, weight }) =>
        sum - weight * Math.log(Math.max(compare(better, worse), LEAST_PROBABILITY)),
      0,
    )
