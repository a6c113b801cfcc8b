import type { CandidateObservation, Evidence } from '../candidate.ts'

/** A selector's view of one execution group: feature values by name, and its members. */
export interface MeasuredGroup {
  /** As `ExecutionGroup.key`. */
  readonly key: string
  /** In drafting order. */
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  /** By feature name; missing features are 0. */
  readonly measures: Readonly<Record<string, number>>
}

/** The rank of one group, and the reasons. */
export interface RankedGroup {
  readonly key: string
  readonly representativeId: string
  /** Calibrated probability, 0 to 1, that this group's result is right; those of a question add up to at most 1. */
  readonly probability: number
  /** In words, strongest first: what favors it over the next best, or speaks against it if it is not the first. */
  readonly reasons: readonly string[]
}

/** Ranks the groups of one question, best first. Pure and local: microseconds, no model. */
export type RankGroups = (groups: readonly MeasuredGroup[]) => readonly RankedGroup[]

/**
 * How far votes have moved a group beyond the shipped selector, in logits; only differences within a question matter.
 * Pure and local.
 */
export type FeedbackShift = (group: MeasuredGroup) => number

/** Probability, 0 to 1, that the first group beats the second, if one of them is right; antisymmetric. */
export type ComparePair = (first: MeasuredGroup, second: MeasuredGroup) => number

/**
 * One observation that a group is better than another, from labeled candidates or from feedback. Weights are relative;
 * the pairs of a labeled question add up to 1.
 */
export interface LabeledPair {
  readonly better: MeasuredGroup
  readonly worse: MeasuredGroup
  readonly weight: number
}

/** A question whose groups are known to be right or wrong; only for training and scoring. */
export interface LabeledGroups {
  readonly id: string
  /** Folds are split by database: a selector that has seen a database has seen its answers. */
  readonly database: string
  readonly groups: readonly MeasuredGroup[]
  /** Keys of the right groups; may be empty. */
  readonly right: ReadonlySet<string>
  /** Weight of the question; 1 for a label, less for a vote. */
  readonly weight: number
}

/** The prior of a calibrated path for a result: independent evidence, not a vote. */
export interface IndependentEvidence {
  /** As `ExecutionGroup.key`. */
  readonly groupKey: string
  /** Its own estimate of being right, 0 to 1. */
  readonly probability: number
  readonly observation: CandidateObservation | null
}

/**
 * Measures the groups of a question's candidates, in order of first appearance. `verifiedLikeness` maps a candidate id
 * to how much its SQL resembles verified queries for similar questions, 0 to 1.
 */
export type MeasureGroups = (
  candidateVotes: readonly CandidateVote[],
  parserEvidence?: readonly IndependentEvidence[],
  verifiedLikeness?: ReadonlyMap<string, number>,
) => readonly MeasuredGroup[]

/**
 * One candidate's vote. Candidates of one lineage are correlated. `run` is null if it did not run, which counts against
 * every group.
 */
export interface CandidateVote {
  readonly candidateId: string
  readonly lineage: string
  readonly run: {
    /** Equal for equal results, in any column order. */
    readonly groupKey: string
    /** Equal for equal results with the same column order. */
    readonly columnsKey: string
    readonly evidence: Evidence
  } | null
}

/** One execution group in the vote. */
export interface TallyGroup {
  readonly key: string
  /** In voting order. */
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  readonly votes: number
  readonly lineages: number
  /** The prior that a calibrated path gives this result, 0 to 1; 0 if none did. */
  readonly prior: number
  readonly isEmpty: boolean
  readonly hasAbsentLiteral: boolean
  readonly hasInversion: boolean
  /** The ranking score: share of votes, less what the evidence subtracts. Not a probability. */
  readonly score: number
}

/** The tally after some candidates; groups best first. */
export interface VoteTally {
  readonly votes: number
  readonly failed: number
  /** Lineages that have voted. */
  readonly lineages: number
  readonly groups: readonly TallyGroup[]
  /** The highest prior of any result, including one that got no vote. */
  readonly otherPrior: number
}

/** Counts votes; `priors` are results of calibrated paths, with their priors. */
export type CountVotes = (
  candidateVotes: readonly CandidateVote[],
  priors?: ReadonlyMap<string, number>,
) => VoteTally

/** Probability, 0 to 1, that the leading group is right; 0 without one. */
export type RateTally = (tally: VoteTally) => number

/** Whether another draft is worth its cost, and the reason in words. */
interface DraftingDecision {
  readonly continues: boolean
  /** The expected gain in the probability of a right answer, less the cost of the drafts. */
  readonly gain: number
  readonly reason: string
}

export type DecideDrafting = (tally: VoteTally) => DraftingDecision

/**
 * State of a trained selector. One is `champion` and ranks answers; without one, the shipped selector does. `retired`
 * was champion before; `rejected` never was, or a person rolled it back.
 */
export type SelectorState = 'champion' | 'retired' | 'rejected'

export const selectorStates = ['champion', 'retired', 'rejected'] as const satisfies readonly SelectorState[]

/** Name of the shipped selector. It is not in the table, and it is always available for a rollback. */
export const shippedVersion = 'shipped'

/** Why a challenger was or was not promoted. */
export type ChallengeVerdict = 'promoted' | 'not-better-on-votes' | 'worse-on-benchmark'

/** The evaluation of a challenger. Losses are mean logistic losses on held-out votes: lower is better. */
export interface ChallengeReport {
  /** The champion it was compared with. */
  readonly against: string
  readonly verdict: ChallengeVerdict
  /** Training data, without the held-out part. */
  readonly trainedOn: { readonly questions: number; readonly voters: number; readonly weight: number }
  readonly heldOut: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
    /** The champion's loss minus the challenger's, and its standard error over questions. */
    readonly gain: number
    readonly standardError: number
  }
  /** Questions of the shipped benchmark that each answers correctly. */
  readonly benchmark: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
  }
}

/** A trained selector with its history. `src/ranking` defines the model; other code only passes it on. */
export interface SelectorVersion<Model = unknown> {
  readonly version: string
  readonly state: SelectorState
  readonly model: Model
  readonly report: ChallengeReport
  readonly trainedAt: Date
  /** Who promoted it or rolled it back by hand; null for the nightly training. */
  readonly decidedBy: string | null
  readonly decidedAt: Date
}

/** The selector in use. */
export interface Champion {
  readonly version: string
  readonly rank: RankGroups
  /** What votes taught it, applied to results from free paths only. The shipped selector has none. */
  readonly shift?: FeedbackShift
}

/** The current selector; never rejects: without a store, or if the version cannot be read, the shipped one. */
export type LoadChampion = () => Promise<Champion>

/** How well one drafting path has done, by people's feedback (SSEV 3.1.2). */
export interface ExpertRecord {
  /** Lineage of its candidates. */
  readonly expert: string
  /** From 0 to 1; 1 before any mistake. */
  readonly weight: number
  readonly mistakes: number
  readonly rounds: number
}

/** What a selector saw when it chose an answer, stored so that feedback on the answer can train it. */
export interface SelectionSnapshot {
  /** `SelectorVersion.version` of the selector that chose. */
  readonly version: string
  /** All groups it ranked, in their order before ranking. */
  readonly groups: readonly MeasuredGroup[]
}

/** Stores what the selector saw for a question; a later choice replaces it. */
export type SaveSnapshot = (questionId: string, snapshot: SelectionSnapshot) => Promise<void>

/** Names that features had in earlier versions, by their beginning. */
const earlierNames: readonly (readonly [before: RegExp, now: string])[] = [
  [/^back-amiss$/, 'mismatch-several'],
  [/^back-/, 'mismatch-'],
  [/^witness/, 'parser'],
  [/^expect-/, 'prior-'],
]

/** What a feature is called now: stores and exported models of earlier versions have the names of their time. */
export const currentFeatureName = (name: string): string => {
  const [before, now] = earlierNames.find(([before]) => before.test(name)) ?? []
  return before === undefined || now === undefined ? name : name.replace(before, now)
}

/** Measures under the names that features have now. */
export const withCurrentNames = (
  measures: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(measures).map(([name, value]) => [currentFeatureName(name), value]))
