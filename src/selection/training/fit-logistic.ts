import { minimize } from './minimise.ts'

/** Measures of one case, the intercept's 1 first, and whether it was right. */
export interface Case {
  readonly measures: readonly number[]
  readonly right: boolean
}

const LOGISTIC_PULL = 1

/** Probability under a logistic model. */
export const probabilityOf = (measures: readonly number[], model: Float64Array): number =>
  1 / (1 + Math.exp(-measures.reduce((sum, measure, i) => sum + measure * (model[i] ?? 0), 0)))

/** Logistic regression with an L2 pull towards nought on all but the first measure, the intercept. */
export const fitLogistic = (cases: readonly Case[]): Float64Array =>
  minimize(
    (model, gradient) => {
      let price = 0
      gradient.fill(0)
      for (let i = 1; i < model.length; i++) {
        price += (LOGISTIC_PULL / 2) * model[i]! ** 2
        gradient[i] = LOGISTIC_PULL * model[i]!
      }
      for (const { measures, right } of cases) {
        const logit = measures.reduce((sum, measure, i) => sum + measure * model[i]!, 0)
        // log(1 + e^z), without overflow
        price += Math.max(logit, 0) + Math.log1p(Math.exp(-Math.abs(logit))) - (right ? logit : 0)
        const missed = 1 / (1 + Math.exp(-logit)) - Number(right)
        for (const [i, measure] of measures.entries()) gradient[i]! += missed * measure
      }
      return price
    },
    new Float64Array(cases[0]?.measures.length ?? 0),
  )
