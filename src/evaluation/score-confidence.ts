import { type Interval, percentile, seededRandom } from './statistics.ts'

/** How sure a selector was of one answer, 0 to 1, and whether it was right. */
export interface RatedAnswer {
  readonly confidence: number
  readonly right: boolean
}

/** How far what a selector says of itself can be relied on. */
export interface ConfidenceScore {
  /** Expected calibration error over ten bins of equal mass, with its bootstrap interval over questions. */
  readonly ece: number
  readonly eceInterval: Interval | null
  readonly brier: number
  /** 1 less the Brier score over that of always saying the share of right answers; above 0 it says something. */
  readonly brierSkill: number | null
  /** Share of wrong answers among the surest, by the share of questions that are answered. */
  readonly curve: readonly { readonly coverage: number; readonly risk: number }[]
  /** Risk at 80 % coverage less half of that at 100 %, with its interval: below 0 the risk is more than halved. */
  readonly riskAt80: number
  readonly riskAt100: number
  readonly overHalf: Interval | null
}

const BINS = 10

const RESAMPLES = 2_000

const COVERAGES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Scores calibration and what answering only the surest questions is worth. Null without answers. */
export const scoreConfidence = (answers: readonly RatedAnswer[], seed = 1): ConfidenceScore | null => {
  if (answers.length === 0) return null
  const rightShare = answers.filter(({ right }) => right).length / answers.length
  const base = rightShare * (1 - rightShare)
  const brier = meanOf(answers.map(({ confidence, right }) => (confidence - Number(right)) ** 2))
  const draws = resample(answers, seed)
  const risks = (drawn: readonly RatedAnswer[]): number => riskAt(drawn, 0.8) - riskAt(drawn, 1) / 2
  return {
    ece: calibrationError(answers),
    eceInterval: intervalOf(draws.map(calibrationError)),
    brier,
    brierSkill: base === 0 ? null : 1 - brier / base,
    curve: COVERAGES.map(coverage => ({ coverage, risk: riskAt(answers, coverage) })),
    riskAt80: riskAt(answers, 0.8),
    riskAt100: riskAt(answers, 1),
    overHalf: intervalOf(draws.map(risks)),
  }
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const mostConfidentFirst = (answers: readonly RatedAnswer[]): readonly RatedAnswer[] =>
  answers.toSorted((a, b) => b.confidence - a.confidence)

/** Mean distance between what is said and what is so, over ten bins with as many answers each (Nixon et al. 2019). */
const calibrationError = (answers: readonly RatedAnswer[]): number => {
  const sorted = mostConfidentFirst(answers)
  let sum = 0
  for (let bin = 0; bin < BINS; bin++) {
    const own = sorted.slice(
      Math.round((bin * sorted.length) / BINS),
      Math.round(((bin + 1) * sorted.length) / BINS),
    )
    sum += Math.abs(own.reduce((gap, { confidence, right }) => gap + confidence - Number(right), 0))
  }
  return sum / answers.length
}

const riskAt = (answers: readonly RatedAnswer[], coverage: number): number => {
  const kept = mostConfidentFirst(answers).slice(0, Math.max(1, Math.round(answers.length * coverage)))
  return meanOf(kept.map(({ right }) => Number(!right)))
}

const resample = (answers: readonly RatedAnswer[], seed: number): readonly (readonly RatedAnswer[])[] => {
  const random = seededRandom(seed)
  return Array.from({ length: RESAMPLES }, () =>
    answers.map(() => answers[Math.floor(random() * answers.length)]!),
  )
}

const intervalOf = (values: readonly number[]): Interval | null => {
  const low = percentile(values, 0.025)
  const high = percentile(values, 0.975)
  return low === null || high === null ? null : { low, high }
}
