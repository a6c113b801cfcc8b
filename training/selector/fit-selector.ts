import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { type FeatureFamily, familyOf } from '../../src/ranking/features/feature-reasons.ts'
import { type Case, fitLogistic } from '../../src/ranking/learning/fit.ts'
import { fitPairs, toPairs } from '../../src/ranking/learning/train-on-votes.ts'
import { measureChoice } from '../../src/ranking/selector/rank-groups.ts'
import { type SelectorModel, utilityOf } from '../../src/ranking/selector/selector-model.ts'

/** What a selector is trained on. Questions of one database stay together wherever something is held out. */
export interface SelectorTrainingData {
  /** Questions like those that it will meet: they teach the weights and the calibration. */
  readonly questions: readonly LabeledGroups[]
  /** The same after a few candidates, as where drafting stops early; they teach both too. */
  readonly beginnings: readonly LabeledGroups[]
  /** More of them in other mixtures; they teach the weights alone. */
  readonly mixtures: readonly LabeledGroups[]
  /**
   * Questions of many other databases whose candidates are readings of the semantic parser: what tells a query that fits
   * its question from one that does not. They teach only what a candidate shows by itself.
   */
  readonly readings: readonly LabeledGroups[]
}

/** How firmly weights are held; chosen in folds by database. */
export interface SelectorTraining {
  /** L2 pull of the weights towards what the readings taught. */
  readonly pull: number
  /** How much of what the readings taught is believed, 0 to 1. */
  readonly belief: number
  /** False leaves out the calibration, which takes most of the time: for figures that need none. */
  readonly calibrates?: boolean
}

export const defaultTraining: SelectorTraining = { pull: 450, belief: 0.3 }

/** Readings are many: their weights need little holding. */
const PULL_OF_READINGS = 30

/** Parts that calibration holds out in turn. */
const PARTS = 4

/** What training gives; the caller adds the version and where it comes from. */
export type TrainedSelector = Pick<SelectorModel, 'features' | 'calibration'>

/**
 * Trains a pairwise selector: a utility fitted to right groups above wrong ones (Bradley and Terry's model, so P(A beats
 * B) = 1 - P(B beats A)), then the probability that its winner is right by Platt scaling over several measures of the
 * choice (multivariate Platt scaling, arXiv 2505.23804), fitted to choices that were made without their database.
 * Deterministic.
 */
export const trainSelector = (
  lessons: SelectorTrainingData,
  { pull, belief, calibrates = true }: SelectorTraining = defaultTraining,
): TrainedSelector => {
  const asMet = [...lessons.questions, ...lessons.beginnings]
  const all = [...asMet, ...lessons.mixtures]
  const scale = scaleOf(all)
  const prior = fitPrior(lessons.readings, scale)
  const fitTo = (wanted: (database: string) => boolean): SelectorModel['features'] =>
    fitWeights(
      all.filter(({ database }) => wanted(database)),
      { scale, prior, pull, belief },
    )
  if (!calibrates) return { features: fitTo(() => true), calibration: [0] }
  const databases = [...new Set(lessons.questions.map(({ database }) => database))].sort()
  const choices = Array.from({ length: PARTS }, (_, part) => {
    const held = new Set(databases.filter((_, at) => at % PARTS === part))
    if (held.size === 0) return []
    const features = fitTo(database => !held.has(database))
    return toChoices(
      asMet.filter(({ database }) => held.has(database)),
      { features },
    )
  }).flat()
  return { features: fitTo(() => true), calibration: [...fitLogistic(choices)] }
}

/** One standard deviation of each feature, so that the pull holds all of them alike. */
const scaleOf = (questions: readonly LabeledGroups[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, { sum: number; squares: number }>()
  let groups = 0
  for (const question of questions)
    for (const { measures } of question.groups) {
      groups += 1
      for (const [name, value] of Object.entries(measures)) {
        const known = sums.get(name) ?? { sum: 0, squares: 0 }
        known.sum += value
        known.squares += value ** 2
        sums.set(name, known)
      }
    }
  return new Map(
    [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, { sum, squares }]) => {
        const deviation = Math.sqrt(Math.max(0, squares / groups - (sum / groups) ** 2))
        // What is the same for all groups tells none of them apart.
        return deviation > 1e-9 ? [[name, deviation] as const] : []
      }),
  )
}

/**
 * What a candidate shows by itself. Votes, ranks and the parser's evidence would mean something else among
 * interpretations, and the shape prior was trained on the questions that interpretations come from.
 */
const ownFamilies: ReadonlySet<FeatureFamily | null> = new Set<FeatureFamily>([
  'result',
  'structure',
  'joins',
  'literals',
  'question match',
])

const isOwn = (name: string): boolean => ownFamilies.has(familyOf(name))

const fitPrior = (
  readings: readonly LabeledGroups[],
  scale: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> => {
  const names = [...scale.keys()].filter(isOwn)
  const weights = fitPairs(readings.flatMap(pairsOf), {
    names,
    scales: names.map(name => scale.get(name)!),
    pull: PULL_OF_READINGS,
  })
  return new Map(names.map((name, at) => [name, weights[at]!]))
}

const fitWeights = (
  questions: readonly LabeledGroups[],
  {
    scale,
    prior,
    pull,
    belief,
  }: Pick<SelectorTraining, 'pull' | 'belief'> & {
    readonly scale: ReadonlyMap<string, number>
    readonly prior: ReadonlyMap<string, number>
  },
): SelectorModel['features'] => {
  const names = [...scale.keys()]
  const scales = [...scale.values()]
  const weights = fitPairs(questions.flatMap(pairsOf), {
    names,
    scales,
    prior: names.map(name => belief * (prior.get(name) ?? 0)),
    pull,
  })
  return names.map((name, at) => ({ name, scale: scales[at]!, weight: weights[at]! }))
}

/** Groups of one vote are many and much the same: the leading wrong ones teach what there is to learn. */
const MOST_WRONG = 8

const pairsOf = (question: LabeledGroups) => {
  const right = question.groups.filter(({ key }) => question.right.has(key))
  const wrong = question.groups
    .filter(({ key }) => !question.right.has(key))
    .toSorted((a, b) => b.candidateIds.length - a.candidateIds.length)
    .slice(0, MOST_WRONG)
  return right.length === 0 || wrong.length === 0
    ? []
    : toPairs({ ...question, groups: [...right, ...wrong] })
}

/** What a selector chose for each question that has any group, in numbers, and whether it was right. */
const toChoices = (
  questions: readonly LabeledGroups[],
  model: Pick<SelectorModel, 'features'>,
): readonly Case[] =>
  questions
    .filter(({ groups }) => groups.length > 0)
    .map(({ groups, right }) => {
      const ranked = groups
        .map(group => ({
          key: group.key,
          measures: group.measures,
          candidates: group.candidateIds.length,
          utility: utilityOf(group, model),
        }))
        .sort((a, b) => b.utility - a.utility)
      const [winner, ...others] = ranked
      if (winner === undefined) throw new Error('a question without groups')
      return { measures: [1, ...measureChoice([winner, ...others])], right: right.has(winner.key) }
    })
