import { minimize } from '../../src/ranking/learning/fit.ts'

/** One case: the numbers of the features that hold, and the number of its class. */
export interface MultinomialCase {
  readonly features: readonly number[]
  readonly label: number
  readonly weight?: number
}

/**
 * Multinomial logistic regression over features that hold or do not, by maximum likelihood with an L2 pull towards
 * nought on all but the intercepts. Row `f` of the answer (`classes` numbers) belongs to feature f; the last row is
 * the intercepts.
 */
export const fitMultinomial = (
  cases: readonly MultinomialCase[],
  { features, classes, pull }: { readonly features: number; readonly classes: number; readonly pull: number },
): Float64Array => {
  const intercepts = features * classes
  const scores = new Float64Array(classes)
  return minimize(
    (model, gradient) => {
      let price = 0
      gradient.fill(0)
      for (let i = 0; i < intercepts; i++) {
        price += (pull / 2) * model[i]! ** 2
        gradient[i] = pull * model[i]!
      }
      for (const { features: held, label, weight = 1 } of cases) {
        for (let k = 0; k < classes; k++) scores[k] = model[intercepts + k]!
        for (const feature of held)
          for (let k = 0; k < classes; k++) scores[k]! += model[feature * classes + k]!
        const norm = logSumExp(scores)
        price += weight * (norm - scores[label]!)
        for (let k = 0; k < classes; k++)
          scores[k] = weight * (Math.exp(scores[k]! - norm) - (k === label ? 1 : 0))
        for (let k = 0; k < classes; k++) gradient[intercepts + k]! += scores[k]!
        for (const feature of held)
          for (let k = 0; k < classes; k++) gradient[feature * classes + k]! += scores[k]!
      }
      return price
    },
    new Float64Array((features + 1) * classes),
    cases.length * 2e-5,
  )
}

const logSumExp = (scores: Float64Array): number => {
  let most = Number.NEGATIVE_INFINITY
  for (const score of scores) if (score > most) most = score
  let sum = 0
  for (const score of scores) sum += Math.exp(score - most)
  return most + Math.log(sum)
}
