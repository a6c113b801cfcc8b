import { minimize } from '../../src/ranking/learning/fit.ts'
import type { ClassWeights, ShapePriorModel } from '../../src/ranking/shape-prior/shape-prior-model.ts'
import {
  columnCases,
  factCases,
  type KnownAnswer,
  type NamedCase,
  type OrderCase,
  orderCases,
} from './known-answers.ts'

/** A cue must have been seen in so many databases: then it is a word of asking, not of a subject. */
const FEWEST_DATABASES = 12

const FEWEST_DATABASES_FOR_ORDER = 5

/** Cues whose weights are all smaller are left out of the file. */
const SMALLEST_OF_CUE = 0.25

const SMALLEST_OF_ORDER = 0.1

/** Pulls towards zero, chosen by cross-validation over databases. */
const PULLS = { facts: 3, columns: 3, order: 2 }

/** Learns the weights of an prior from known answers. Deterministic. */
export const fitShapePrior = (answers: readonly KnownAnswer[]): Omit<ShapePriorModel, 'provenance'> => ({
  facts: Object.fromEntries(
    // Where all known answers agree there is nothing to learn.
    [...factCases(answers)]
      .filter(([, cases]) => new Set(cases.map(({ label }) => label)).size > 1)
      .map(([fact, cases]) => [fact, fitClasses(cases, PULLS.facts)]),
  ),
  columns: fitClasses(columnCases(answers), PULLS.columns),
  order: fitOrder(orderCases(answers)),
})

/** Fits all frequent cues, then once more those that were worth keeping: what is left has to speak for the others. */
const fitClasses = (cases: readonly NamedCase[], pull: number): ClassWeights => {
  const all = fitRows(cases, frequentCues(cases, FEWEST_DATABASES), pull)
  const kept = Object.entries(all.cues)
    .filter(([, row]) => row.some(weight => Math.abs(weight) >= SMALLEST_OF_CUE))
    .map(([cue]) => cue)
  const { classes, intercepts, cues } = fitRows(cases, kept, pull)
  return {
    classes,
    intercepts: intercepts.map(round),
    cues: Object.fromEntries(Object.entries(cues).map(([cue, row]) => [cue, row.map(round)])),
  }
}

const fitRows = (cases: readonly NamedCase[], cues: readonly string[], pull: number): ClassWeights => {
  const numbers = new Map(cues.map((cue, number) => [cue, number]))
  const classes = [...new Set(cases.map(({ label }) => label))].sort()
  const weights = fitMultinomial(
    cases.map(({ cues, label }) => ({
      features: cues.flatMap(cue => numbers.get(cue) ?? []),
      label: classes.indexOf(label),
    })),
    { features: cues.length, classes: classes.length, pull },
  )
  const row = (at: number): number[] => [...weights.subarray(at * classes.length, (at + 1) * classes.length)]
  return {
    classes,
    intercepts: row(cues.length),
    cues: Object.fromEntries(cues.map((cue, at) => [cue, row(at)])),
  }
}

const fitOrder = (cases: readonly OrderCase[]): Record<string, number> => {
  const named = cases.map(({ database, cues }) => ({ database, cues: cues.map(([cue]) => cue) }))
  const cues = frequentCues(named, FEWEST_DATABASES_FOR_ORDER)
  const numbers = new Map(cues.map((cue, number) => [cue, number]))
  const signed = cases.map(({ cues }) =>
    cues.flatMap(([cue, sign]) => {
      const number = numbers.get(cue)
      return number === undefined ? [] : [[number, sign] as const]
    }),
  )
  const weights = minimize((model, gradient) => {
    let price = 0
    for (const [i, weight] of model.entries()) {
      price += (PULLS.order / 2) * weight ** 2
      gradient[i] = PULLS.order * weight
    }
    for (const features of signed) {
      let logit = 0
      for (const [number, sign] of features) logit += sign * model[number]!
      price += Math.log1p(Math.exp(-Math.abs(logit))) + Math.max(-logit, 0)
      const missed = 1 / (1 + Math.exp(logit))
      for (const [number, sign] of features) gradient[number]! -= sign * missed
    }
    return price
  }, new Float64Array(cues.length))
  return Object.fromEntries(
    cues
      .map((cue, at) => [cue, round(weights[at]!)] as const)
      .filter(([, weight]) => Math.abs(weight) >= SMALLEST_OF_ORDER),
  )
}

/** Cues seen in enough databases, sorted. */
const frequentCues = (
  cases: readonly { readonly database: string; readonly cues: readonly string[] }[],
  fewest: number,
): readonly string[] => {
  const seen = new Map<string, Set<string>>()
  for (const { database, cues } of cases)
    for (const cue of cues) {
      const databases = seen.get(cue)
      if (databases === undefined) seen.set(cue, new Set([database]))
      else databases.add(database)
    }
  return [...seen]
    .filter(([, databases]) => databases.size >= fewest)
    .map(([cue]) => cue)
    .sort()
}

const round = (weight: number): number => Number(weight.toFixed(2))

/** One case: the numbers of the features that hold, and the number of its class. */
export interface MultinomialCase {
  readonly features: readonly number[]
  readonly label: number
  readonly weight?: number
}

/**
 * Multinomial logistic regression over features that hold or do not, by maximum likelihood with an L2 pull towards
 * zero on all but the intercepts. Row `f` of the answer (`classes` numbers) belongs to feature f; the last row is
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
