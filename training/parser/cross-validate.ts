import { shuffle } from '../../src/lib/random.ts'
import { calibrationFeatures } from '../../src/parser/rank/model.ts'
import { type Case, fitLogistic, probabilityOf } from '../../src/ranking/learning/fit.ts'
import { type FeatureNames, fitWeights } from './fit-weights.ts'
import { featuresOf, type Origin, type ReadingList, scoreReadings } from './interpretation-lists.ts'

const FOLDS = 5

/** A list judged by weights that never saw its database. */
export interface Judged extends Case {
  readonly origin: Origin
  /** Probability that the first reading is right, by a calibration that never saw the database either. */
  readonly sure: number
}

export interface CrossValidated {
  readonly judged: readonly Judged[]
  /** Lists with no reading at all: wrong, but nothing to calibrate. */
  readonly empty: readonly Pick<Judged, 'origin'>[]
  /** The calibration over all cases, by the names of the doubts. */
  readonly calibration: Readonly<Record<string, number>>
}

/**
 * Learns five times, each time without a fifth of the databases, and judges their questions. Every fold's weights are
 * fitted to answerable questions alone; the calibration learns from the folds' judgements of the questions of files
 * and of those made unanswerable, but not from the companies', which were written to be answered.
 */
export const crossValidate = (
  lists: readonly ReadingList[],
  {
    start,
    names,
    seed,
  }: { readonly start: Float64Array; readonly names: FeatureNames; readonly seed: number },
): CrossValidated => {
  const databases = shuffle([...new Set(lists.map(({ database }) => database))].sort(), seed)
  const foldOf = new Map(databases.map((database, i) => [database, i % FOLDS]))
  const judged: (Case & { readonly fold: number; readonly origin: Origin })[] = []
  let doubtNames: readonly string[] = []
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = lists.filter(({ database }) => foldOf.get(database) !== fold)
    const weights = fitWeights(others, start)
    for (const list of lists) {
      if (foldOf.get(list.database) !== fold || list.right.length === 0) continue
      const { doubts, right } = judge(list, weights, names)
      doubtNames = Object.keys(doubts)
      judged.push({ fold, origin: list.origin, right, measures: Object.values(doubts) })
    }
  }
  const teaching = judged.filter(({ origin }) => origin !== 'company')
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitLogistic(teaching.filter(one => one.fold !== fold)),
  )
  const calibration = fitLogistic(teaching)
  return {
    judged: judged.map(one => ({ ...one, sure: probabilityOf(one.measures, models[one.fold]!) })),
    empty: lists.filter(({ right }) => right.length === 0),
    calibration: Object.fromEntries(doubtNames.map((name, i) => [name, calibration[i] ?? 0])),
  }
}

const judge = (list: ReadingList, weights: Float64Array, names: FeatureNames) => {
  const scores = scoreReadings(list, weights)
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)
  const first = order[0]!
  const doubts = calibrationFeatures({
    scores: order.map(reading => scores[reading]!),
    features: featuresOf(list, first, names),
  })
  return { doubts, right: list.right[first] === 1 }
}
