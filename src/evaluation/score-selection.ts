import type { ExecutionGroup } from '../domain/candidate.ts'
import type { CandidateVote, IndependentEvidence } from '../domain/ranking.ts'
import type { PoolLabel, PoolQuestion } from './execute-pools.ts'
import type { AskingReport } from './score-asking.ts'
import { scoreConfidence } from './score-confidence.ts'
import { type Interval, percentile } from './statistics.ts'

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
