import type { ReadingChoiceModel } from '../../src/semantic-layer/weigh-readings.ts'
import type { Choice } from './collect-choices.ts'

/** What one question of business weighs beside one of Spider's; most are read twice, with a layer and without. */
const BUSINESS_WEIGHT = 2.5

const L2 = 3e-4

const STEPS = 1_200

const RATE = 0.05

/** The probabilities of a choice: that the layer's reading is right, that the parser's is. */
export interface ChoiceOdds {
  readonly metric: number
  readonly parser: number
}

/**
 * Fits a softmax over "the reading by the layer", "the parser's" and "neither" by gradient descent (Adam). Where both
 * are right, it does not matter which is chosen: their probabilities add up.
 */
export const fitChoice = (choices: readonly Choice[]): ReadingChoiceModel => {
  const names = [...new Set(choices.flatMap(({ features }) => Object.keys(features)))]
  const rows = choices.map(({ features }) => Float64Array.from(names, name => features[name] ?? 0))
  const weights = choices.map(({ isBusiness }) => (isBusiness ? BUSINESS_WEIGHT : 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const theta = new Float64Array(names.length * 2)
  const [first, second] = [new Float64Array(theta.length), new Float64Array(theta.length)]
  for (let step = 1; step <= STEPS; step++) {
    const gradient = new Float64Array(theta.length)
    for (const [at, choice] of choices.entries()) {
      const row = rows[at]!
      const odds = softmax(row, theta)
      const wanted = responsibilities(odds, choice)
      const scale = weights[at]! / total
      for (let i = 0; i < row.length; i++) {
        gradient[i]! += scale * (odds.metric - wanted.metric) * row[i]!
        gradient[row.length + i]! += scale * (odds.parser - wanted.parser) * row[i]!
      }
    }
    for (let i = 0; i < theta.length; i++) {
      const slope = gradient[i]! + 2 * L2 * theta[i]!
      first[i] = 0.9 * first[i]! + 0.1 * slope
      second[i] = 0.999 * second[i]! + 0.001 * slope * slope
      theta[i]! -=
        (RATE * (first[i]! / (1 - 0.9 ** step))) / (Math.sqrt(second[i]! / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  const round = (value: number): number => Number(value.toFixed(3))
  return {
    metric: Object.fromEntries(names.map((name, i) => [name, round(theta[i]!)])),
    parser: Object.fromEntries(names.map((name, i) => [name, round(theta[names.length + i]!)])),
  }
}

const softmax = (row: Float64Array, theta: Float64Array): ChoiceOdds => {
  let [metric, parser] = [0, 0]
  for (let i = 0; i < row.length; i++) {
    metric += row[i]! * theta[i]!
    parser += row[i]! * theta[row.length + i]!
  }
  const top = Math.max(metric, parser, 0)
  const [a, b, none] = [Math.exp(metric - top), Math.exp(parser - top), Math.exp(-top)]
  const sum = a + b + none
  return { metric: a / sum, parser: b / sum }
}

/** What the probabilities should have been: all on what was right, in proportion where both were. */
const responsibilities = (odds: ChoiceOdds, { isMetricRight, isParserRight }: Choice): ChoiceOdds => {
  const metric = isMetricRight ? odds.metric : 0
  const parser = isParserRight ? odds.parser : 0
  const sum = metric + parser
  return sum === 0 ? { metric: 0, parser: 0 } : { metric: metric / sum, parser: parser / sum }
}
