import { basename } from 'node:path'
import type { ParserModel } from '../../src/parser/rank/model.ts'
import type { CrossValidated, Judged } from './cross-validate.ts'

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

/** Shares from 0 to 1; null where there was nothing to take a share of. */
export interface Figures {
  readonly questions: number
  readonly executionAccuracy: number | null
  readonly companyQuestions: number
  readonly companyExecutionAccuracy: number | null
  readonly unanswerable: number
  /** Share of answerable questions whose first reading is at least .8 sure, and how many of those are right. */
  readonly coverageAt80: number | null
  readonly precisionAt80: number | null
  readonly expectedCalibrationError: number | null
  readonly brierScore: number | null
  /** Share of unanswerable questions that got .8 or more all the same. */
  readonly unanswerableAbove80: number | null
}

const CONFIDENT = 0.8

const BINS = 10

/** What cross-validation came to. */
export const figuresOf = ({ judged, empty }: CrossValidated): Figures => {
  const of = (origin: Judged['origin']) => judged.filter(one => one.origin === origin)
  const emptyOf = (origin: Judged['origin']) => empty.filter(one => one.origin === origin).length
  const [file, company, unanswerable] = [of('file'), of('company'), of('unanswerable')]
  const calibrated = [...file, ...unanswerable]
  const confident = file.filter(isConfident)
  const questions = file.length + emptyOf('file')
  const companyQuestions = company.length + emptyOf('company')
  const unanswerableQuestions = unanswerable.length + emptyOf('unanswerable')
  return {
    questions,
    executionAccuracy: share(file.filter(isRight).length, questions),
    companyQuestions,
    companyExecutionAccuracy: share(company.filter(isRight).length, companyQuestions),
    unanswerable: unanswerableQuestions,
    coverageAt80: share(confident.length, questions),
    precisionAt80: share(confident.filter(isRight).length, confident.length),
    expectedCalibrationError: share(calibrationError(calibrated), calibrated.length),
    brierScore: share(
      calibrated.reduce((sum, one) => sum + (one.sure - Number(one.right)) ** 2, 0),
      calibrated.length,
    ),
    unanswerableAbove80: share(unanswerable.filter(isConfident).length, unanswerableQuestions),
  }
}

const isRight = ({ right }: Judged): boolean => right

const isConfident = ({ sure }: Judged): boolean => sure >= CONFIDENT

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 1000

/** Summed over ten equal bins of probability: how far what was promised and what was right lie apart. */
const calibrationError = (judged: readonly Judged[]): number => {
  const bins = Array.from({ length: BINS }, () => 0)
  for (const { sure, right } of judged)
    bins[Math.min(Math.floor(sure * BINS), BINS - 1)]! += sure - Number(right)
  return bins.reduce((sum, bin) => sum + Math.abs(bin), 0)
}
