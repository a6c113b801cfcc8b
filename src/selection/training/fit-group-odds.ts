import type { GroupOdds } from '../standing/rate-groups.ts'
import { minimize } from './minimise.ts'

/** The groups of one question: their scores in a vote, and which of them are right. */
export interface ScoredGroups {
  readonly scores: readonly number[]
  readonly right: readonly boolean[]
}

/** Keeps two numbers from running away where few questions are known. */
const GROUP_ODDS_PULL = 0.1

/**
 * Fits the odds by maximum likelihood: a conditional logit with "none of them" as one more alternative (McFadden 1974),
 * where several groups may be right.
 */
export const fitGroupOdds = (questions: readonly ScoredGroups[]): GroupOdds => {
  const known = questions.filter(({ scores }) => scores.length > 0)
  const [scale = 0, none = 0] = minimize(
    (odds, gradient) => {
      const [scale = 0, none = 0] = odds
      gradient[0] = GROUP_ODDS_PULL * scale
      gradient[1] = GROUP_ODDS_PULL * none
      let price = (GROUP_ODDS_PULL / 2) * (scale ** 2 + none ** 2)
      for (const { scores, right } of known) {
        const anyRight = right.includes(true)
        const all = spread([...scores.map(score => scale * score), none])
        const good = anyRight ? spread(scores.filter((_, at) => right[at]).map(score => scale * score)) : null
        price += all.log - (good?.log ?? none)
        const expected = mean(scores, all.shares)
        const wanted =
          good === null
            ? 0
            : mean(
                scores.filter((_, at) => right[at]),
                good.shares,
              )
        gradient[0]! += expected - wanted
        gradient[1]! += (all.shares.at(-1) ?? 0) - Number(!anyRight)
      }
      return price
    },
    new Float64Array([1, 0]),
  )
  return { scale, none }
}

/** Log of the sum of exponentials, and the share of each; without overflow. */
const spread = (logits: readonly number[]): { readonly log: number; readonly shares: readonly number[] } => {
  const top = Math.max(...logits)
  const weights = logits.map(logit => Math.exp(logit - top))
  const sum = weights.reduce((a, b) => a + b, 0)
  return { log: top + Math.log(sum), shares: weights.map(weight => weight / sum) }
}

const mean = (values: readonly number[], shares: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + value * (shares[at] ?? 0), 0)
