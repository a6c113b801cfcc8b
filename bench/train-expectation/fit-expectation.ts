import { minimize } from '../../src/ranking/learning/fit.ts'
import type { ClassWeights, ShapePriorModel } from '../../src/ranking/shape-prior/shape-prior-model.ts'
import { fitMultinomial } from './fit-multinomial.ts'
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

/** Pulls towards nought, chosen by cross-validation over databases. */
const PULLS = { facts: 3, columns: 3, order: 2 }

/** Learns the weights of an expectation from known answers. Deterministic. */
export const fitExpectation = (answers: readonly KnownAnswer[]): Omit<ShapePriorModel, 'provenance'> => ({
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
