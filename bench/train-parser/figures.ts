import type { CrossValidated, Judged } from './cross-validate.ts'

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
