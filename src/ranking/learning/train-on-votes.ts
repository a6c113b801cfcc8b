import type { LabeledGroups, LabeledPair, MeasuredGroup } from '../../domain/selection/ranking.ts'
import type { SelectorModel } from '../selector/selector-model.ts'
import { minimize } from './fit.ts'

/**
 * A selector whose weights moved from the prior's as far as the questions speak for it against the pull. Features,
 * scales and calibration stay: people say too little about how sure to be.
 */
export const trainOnVotes = (
  questions: readonly LabeledGroups[],
  { prior, pull }: { readonly prior: SelectorModel; readonly pull: number },
): SelectorModel => {
  const { features } = prior
  const weights = fitPairs(questions.flatMap(toPairs), {
    names: features.map(({ name }) => name),
    scales: features.map(({ scale }) => scale),
    prior: features.map(({ weight }) => weight),
    pull,
  })
  return { ...prior, features: features.map((feature, i) => ({ ...feature, weight: weights[i]! })) }
}

/** Every right group above every wrong one; the question's weight is spread over its pairs. */
export const toPairs = ({ groups, right, weight }: LabeledGroups): readonly LabeledPair[] => {
  const better = groups.filter(({ key }) => right.has(key))
  const worse = groups.filter(({ key }) => !right.has(key))
  const share = weight / (better.length * worse.length)
  return better.flatMap(one => worse.map(other => ({ better: one, worse: other, weight: share })))
}

/** How a utility is fitted. `scales` and `prior` are in the order of `names`. */
interface PairFit {
  /** The features that may weigh something; others of the groups are passed over. */
  readonly names: readonly string[]
  /** What one unit of each feature is; weights are per unit. All above 0. */
  readonly scales: readonly number[]
  /** Where the weights stay without pairs that say otherwise; zero when left out. */
  readonly prior?: readonly number[]
  /** L2 pull towards the prior, above 0: how many pairs' worth of evidence one unit of change has to bring. */
  readonly pull: number
}

/** When the gradient is small enough, as it is and per unit of weight of the pairs. */
const FINEST = 1e-4

const RELATIVE = 1e-5

/**
 * Weights of the linear utility u under which P(better beats worse) = sigmoid(u(better) - u(worse)) explains the pairs
 * best (Bradley and Terry's model over features): minimises the weighted logistic loss of the differences plus
 * pull / 2 times the squared distance to the prior, so that few pairs move little. Convex; the same for any order of
 * the pairs up to rounding. In the order of `names`.
 */
export const fitPairs = (
  pairs: readonly LabeledPair[],
  { names, scales, prior = names.map(() => 0), pull }: PairFit,
): readonly number[] => {
  const scale = (group: MeasuredGroup): Float64Array =>
    Float64Array.from(names, (name, i) => (group.measures[name] ?? 0) / scales[i]!)
  // A group stands in many pairs.
  const scaled = new Map<MeasuredGroup, Float64Array>()
  const unitsOf = (group: MeasuredGroup): Float64Array => {
    const known = scaled.get(group)
    if (known !== undefined) return known
    const made = scale(group)
    scaled.set(group, made)
    return made
  }
  const cases = pairs.map(({ better, worse, weight }) => {
    const lost = unitsOf(worse)
    return { weight, gap: unitsOf(better).map((unit, i) => unit - lost[i]!) }
  })
  // The gradient is a sum over pairs: the more there are, the less of it is left at the same weights.
  const total = cases.reduce((sum, { weight }) => sum + weight, 0)
  const tolerance = Math.max(FINEST, RELATIVE * total)
  const weights = minimize(
    (model, gradient) => {
      let price = 0
      for (let i = 0; i < model.length; i++) {
        const moved = model[i]! - prior[i]!
        price += (pull / 2) * moved ** 2
        gradient[i] = pull * moved
      }
      for (const { weight, gap } of cases) {
        let lead = 0
        for (let i = 0; i < gap.length; i++) lead += gap[i]! * model[i]!
        // log(1 + e^-lead), without overflow
        price += weight * (Math.max(-lead, 0) + Math.log1p(Math.exp(-Math.abs(lead))))
        const missed = -weight / (1 + Math.exp(lead))
        for (let i = 0; i < gap.length; i++) gradient[i]! += missed * gap[i]!
      }
      return price
    },
    Float64Array.from(prior),
    tolerance,
  )
  return [...weights]
}
