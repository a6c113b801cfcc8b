import type { ExecutionGroup } from '../domain/candidate.ts'
import type { CandidateVote, IndependentEvidence } from '../domain/selection/ranking.ts'
import type { PoolLabel, PoolQuestion } from './execute-pools.ts'
import type { AskingReport } from './score-asking.ts'
import { type Interval, percentile, seededRandom } from './statistics.ts'

/** What a selector says of one question, from the votes of its candidates alone. */
interface SelectedAnswer {
  /** The chosen candidate; null if none ran. */
  readonly candidateId: string | null
  /** Probability that it is right, 0 to 1; null if the selector does not say. */
  readonly confidence: number | null
  /** How many candidates an early stop would have looked at, and what it would have chosen. */
  readonly early: { readonly consumed: number; readonly candidateId: string | null } | null
  /** All results, best first, with the probability that each is right; left out where the selector does not say. */
  readonly groups?: readonly ExecutionGroup[]
}

/** A selector for the questions of one database: trained, where it is trained, on others. */
export type SelectAnswer = (
  candidateVotes: readonly CandidateVote[],
  parserEvidence?: readonly IndependentEvidence[],
) => SelectedAnswer

/** What one selector reached on one pool. Shares are from 0 to 1; null if the selector has no such thing. */
export interface SelectionScore {
  readonly ex: number
  readonly exAnyOrder: number
  /** Share of the way from the majority vote to the oracle. */
  readonly gapClosed: number | null
  /** How far confidence can be relied on, `right` being right in any order of columns: see `ConfidenceScore`. */
  readonly ece: number | null
  readonly eceInterval: Interval | null
  readonly brier: number | null
  readonly brierSkill: number | null
  readonly riskAt80: number | null
  readonly riskAt100: number | null
  readonly consumedMedian: number | null
  readonly consumedMean: number | null
  readonly exEarlyStop: number | null
  /** Asking back where it is worth its cost: measured by `--clarify`, null without it or without probabilities. */
  readonly asked: number | null
  readonly falseAsks: number | null
  readonly exAfterAsking: number | null
  readonly exAnyOrderAfterAsking: number | null
  /** Asking back by the share asked, at random and always. */
  readonly asking: AskingReport | null
}

/** One selector's choices, with what they turned out to be. */
export interface LabeledSelection {
  readonly selected: SelectedAnswer
  readonly label: PoolLabel
  readonly earlyLabel: PoolLabel | null
}

const wrong: PoolLabel = { ex: false, anyOrder: false }

/** Lets a selector choose for every question. `selectFor` gives the one to use for a database. */
export const labelSelections = (
  questions: readonly PoolQuestion[],
  selectFor: (database: string) => SelectAnswer,
): readonly LabeledSelection[] =>
  questions.map(({ database, candidateVotes, parserEvidence, labels }) => {
    const labelOf = (id: string | null): PoolLabel =>
      id === null
        ? wrong
        : (labels[candidateVotes.findIndex(({ candidateId }) => candidateId === id)] ?? wrong)
    const selected = selectFor(database)(candidateVotes, parserEvidence)
    return {
      selected,
      label: labelOf(selected.candidateId),
      earlyLabel: selected.early === null ? null : labelOf(selected.early.candidateId),
    }
  })

/** Sums up. `majority` and `oracle` are EX of the pool, for the share of the gap; `asking` is what asking back came to. */
export const scoreSelections = (
  judged: readonly LabeledSelection[],
  {
    majority,
    oracle,
    asking = null,
  }: { readonly majority: number; readonly oracle: number; readonly asking?: AskingReport | null },
): SelectionScore => {
  const ex = shareOf(judged, ({ label }) => label.ex)
  const confidence = scoreConfidence(
    judged.flatMap(({ selected, label }) =>
      selected.confidence === null ? [] : [{ confidence: selected.confidence, right: label.anyOrder }],
    ),
  )
  const early = judged.filter(({ earlyLabel }) => earlyLabel !== null)
  const consumed = early.map(({ selected }) => selected.early!.consumed)
  return {
    ex,
    exAnyOrder: shareOf(judged, ({ label }) => label.anyOrder),
    gapClosed: oracle > majority ? (ex - majority) / (oracle - majority) : null,
    ece: confidence?.ece ?? null,
    eceInterval: confidence?.eceInterval ?? null,
    brier: confidence?.brier ?? null,
    brierSkill: confidence?.brierSkill ?? null,
    riskAt80: confidence?.riskAt80 ?? null,
    riskAt100: confidence?.riskAt100 ?? null,
    consumedMedian: percentile(consumed, 0.5),
    consumedMean: consumed.length === 0 ? null : consumed.reduce((a, b) => a + b, 0) / consumed.length,
    exEarlyStop: early.length === 0 ? null : shareOf(early, ({ earlyLabel }) => earlyLabel!.ex),
    asked: asking?.atCost.asked ?? null,
    falseAsks: asking?.atCost.falseAsks ?? null,
    exAfterAsking: asking?.atCost.exAfterAsking ?? null,
    exAnyOrderAfterAsking: asking?.atCost.exAnyOrderAfterAsking ?? null,
    asking,
  }
}

const shareOf = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length

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
