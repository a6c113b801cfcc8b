import { basename } from 'node:path'
import type { ParserModel } from '../../src/parser/rank/model.ts'
import type { Figures } from './figures.ts'

/** What the model's file says of itself. */
export interface ModelOrigin {
  /** Added to weights after training: what was decided, not learned. */
  readonly adjustments: Readonly<Record<string, number>>
  readonly figures: Figures
  readonly files: readonly string[]
  readonly seed: number
  readonly date: Date
}

/** Weights smaller than this change no ranking that anybody would notice. */
const SMALLEST = 0.06

/** The text of a model file, with where it comes from. Names are sorted: two files can be compared by eye. */
export const renderModel = (model: ParserModel, origin: ModelOrigin): string => {
  const { adjustments, figures, files, seed, date } = origin
  const weights = Object.entries(model.weights)
    .map(([name, weight]) => [name, round(weight + (adjustments[name] ?? 0), 2)] as const)
    .filter(([, weight]) => Math.abs(weight) >= SMALLEST)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const calibration = Object.entries(model.calibration).map(([name, value]) => [name, round(value, 3)])
  const provenance = {
    version: 1,
    trainedOn: [
      `${figures.questions} questions of ${files.map(file => basename(file)).join(', ')}; nothing of their text is kept here`,
      `${figures.companyQuestions} questions over invented companies (fixtures/parser-training), each counted 8 times`,
    ],
    method: `listwise log-linear model over the 60 best readings of a beam of 60, labels by execution; L2 of 4 towards hand-set weights; calibration by logistic regression on 5 folds by database (seed ${seed}), with ${figures.unanswerable} questions made unanswerable`,
    crossValidated: { folds: `5, by database, seed ${seed}`, ...figures },
    date: date.toISOString().slice(0, 10),
    adjusted: adjustments,
  }
  const whole = {
    provenance,
    weights: Object.fromEntries(weights),
    calibration: Object.fromEntries(calibration),
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
