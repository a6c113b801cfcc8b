import { minimize } from '../../src/ranking/learning/fit.ts'
import { type ReadingList, scoreReadings } from './interpretation-lists.ts'

/** How hard weights are held at where they start: half of it times the squared distance is the price. */
const PULL = 4

/** The few questions of a working day count as much as some thousand of the other kind. */
const COMPANY_COUNTS = 8

/**
 * Weights under which right readings of a list have the largest share together: minus the logarithm of that share,
 * summed over the lists that have both right and wrong readings, with an L2 pull towards `start`.
 */
export const fitWeights = (lists: readonly ReadingList[], start: Float64Array): Float64Array => {
  const telling = lists.filter(({ right }) => right.includes(1) && right.includes(0))
  return minimize((weights, gradient) => {
    let price = 0
    for (let i = 0; i < weights.length; i++) {
      const away = weights[i]! - start[i]!
      price += (PULL / 2) * away * away
      gradient[i] = PULL * away
    }
    for (const list of telling) price += addList(list, weights, gradient)
    return price
  }, start)
}

const addList = (list: ReadingList, weights: Float64Array, gradient: Float64Array): number => {
  const counts = list.origin === 'company' ? COMPANY_COUNTS : 1
  const scores = scoreReadings(list, weights)
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY)
  const powers = scores.map(score => Math.exp(score - best))
  let all = 0
  let right = 0
  for (const [reading, power] of powers.entries()) {
    all += power
    if (list.right[reading]) right += power
  }
  // Where every right reading is far behind, its power rounds to zero.
  right = Math.max(right, 1e-12)
  for (const [reading, power] of powers.entries()) {
    const push = counts * (power / all - (list.right[reading] ? power / right : 0))
    for (let at = list.starts[reading]!; at < list.starts[reading + 1]!; at++)
      gradient[list.ids[at]!]! += push * list.values[at]!
  }
  return counts * Math.log(all / right)
}

/** Numbers for the names of features, given out as names are met. */
export interface FeatureNames {
  /** The name's number; a name not met before gets the next one. */
  numberOf(name: string): number
  /** All names, each at the place of its number. */
  readonly all: readonly string[]
}

/** Makes an empty numbering. */
export const makeFeatureNames = (): FeatureNames => {
  const numbers = new Map<string, number>()
  const all: string[] = []
  return {
    all,
    numberOf: name => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, all.length)
      return all.push(name) - 1
    },
  }
}
