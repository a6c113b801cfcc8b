import type { CandidateObservation, Evidence } from './candidate.ts'

/** What a selector is told of one execution group: numbers by the names of features, and who is in it. */
export interface MeasuredGroup {
  /** As `ExecutionGroup.key`. */
  readonly key: string
  /** In the order in which they were drafted. */
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  /** By the name of the feature; a feature that is not named is 0. */
  readonly measures: Readonly<Record<string, number>>
}

/** One group's place in the choice, and why it is there. */
export interface RankedGroup {
  readonly key: string
  readonly representativeId: string
  /** Calibrated probability from 0 to 1 that this group's result is right; all of a question's add up to at most 1. */
  readonly probability: number
  /** In words, the strongest first: what speaks for it against the next best, or against it where it is not the first. */
  readonly reasons: readonly string[]
}

/** Ranks the groups of one question, best first. Pure and local: microseconds, no model. */
export type RankGroups = (groups: readonly MeasuredGroup[]) => readonly RankedGroup[]

/**
 * How far people's votes have moved a group beyond the selector that comes with Querent, in logits; only differences
 * within a question mean anything. Pure and local.
 */
export type FeedbackShift = (group: MeasuredGroup) => number

/** Probability from 0 to 1 that the first group beats the second, if one of them is right; antisymmetric. */
export type ComparePair = (first: MeasuredGroup, second: MeasuredGroup) => number

/**
 * One observation that one group is better than another: from labelled candidates, or from what a person did. Weights
 * are relative; a labelled question's pairs add up to 1.
 */
export interface LabeledPair {
  readonly better: MeasuredGroup
  readonly worse: MeasuredGroup
  readonly weight: number
}

/** A question whose groups are known to be right or wrong; for training and scoring alone. */
export interface LabeledGroups {
  readonly id: string
  /** Folds are by database: a selector that has seen a database has seen its answers. */
  readonly database: string
  readonly groups: readonly MeasuredGroup[]
  /** Keys of the groups that are right; may be empty. */
  readonly right: ReadonlySet<string>
  /** How much the question counts; 1 for a label, less for a person's vote. */
  readonly weight: number
}

/** What a path says that knows its own odds: an independent witness of a result, no vote. */
export interface IndependentEvidence {
  /** As `ExecutionGroup.key`. */
  readonly groupKey: string
  /** Its own estimate of being right, 0 to 1. */
  readonly probability: number
  readonly observation: CandidateObservation | null
}

/**
 * Measures the groups of one question's candidates; groups in the order in which they first came. `verifiedLikeness` has
 * by the id of a candidate how much its SQL looks like what people verified for questions like this one, from 0 to 1.
 */
export type MeasureGroups = (
  ballots: readonly CandidateVote[],
  witnesses?: readonly IndependentEvidence[],
  verifiedLikeness?: ReadonlyMap<string, number>,
) => readonly MeasuredGroup[]

/**
 * What one candidate says in the vote. Candidates of one lineage are correlated. `null` in place of a run: it did not
 * run, which counts against every group.
 */
export interface CandidateVote {
  readonly candidateId: string
  readonly lineage: string
  readonly run: {
    /** Equal for equal results, whatever the order of columns. */
    readonly groupKey: string
    /** Equal for equal results whose columns also come in the same order. */
    readonly columnsKey: string
    readonly evidence: Evidence
  } | null
}

/** One execution group in the vote. */
export interface TallyGroup {
  readonly key: string
  /** In the order of the ballots. */
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  readonly votes: number
  readonly lineages: number
  /** What a path that knows its own odds gives this result, 0 to 1; 0 where none did. */
  readonly prior: number
  readonly isEmpty: boolean
  readonly hasAbsentLiteral: boolean
  readonly hasInversion: boolean
  /** What the groups are ranked by: share of the votes, less what the evidence takes off. No probability. */
  readonly score: number
}

/** How the vote stands after some candidates; groups best first. */
export interface VoteTally {
  readonly votes: number
  readonly failed: number
  /** Lineages that have voted. */
  readonly lineages: number
  readonly groups: readonly TallyGroup[]
  /** The highest prior that any result got, also one that no ballot agreed with. */
  readonly otherPrior: number
}

/** Counts votes; `priors` are results that paths who know their own odds gave, with those odds. */
export type CountVotes = (
  ballots: readonly CandidateVote[],
  priors?: ReadonlyMap<string, number>,
) => VoteTally

/** Probability from 0 to 1 that the leading group is right; 0 without one. */
export type RateTally = (standing: VoteTally) => number

/** Whether another draft is worth its cost, and why in words. */
interface DraftingDecision {
  readonly continues: boolean
  /** What going on is expected to add to the probability of a right answer, less what the drafts cost. */
  readonly gain: number
  readonly reason: string
}

export type DecideDrafting = (standing: VoteTally) => DraftingDecision

/**
 * Where a trained selector stands. One is `champion` and ranks answers; with none it is the shipped one. `retired` was
 * champion before; `rejected` never was, or a person rolled it back.
 */
export type SelectorState = 'champion' | 'retired' | 'rejected'

export const selectorStates = ['champion', 'retired', 'rejected'] as const satisfies readonly SelectorState[]

/** Name of the selector that comes with Querent. It is in no table and can always be gone back to. */
export const shippedVersion = 'shipped'

/** Why a challenger was promoted, or was not. */
export type ChallengeVerdict = 'promoted' | 'not-better-on-votes' | 'worse-on-benchmark'

/** What a challenger was judged by. Losses are mean logistic losses of the held-out votes: lower is better. */
export interface ChallengeReport {
  /** The champion that it was compared with. */
  readonly against: string
  readonly verdict: ChallengeVerdict
  /** What it learned from, the held-out part aside. */
  readonly trainedOn: { readonly questions: number; readonly voters: number; readonly weight: number }
  readonly heldOut: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
    /** Champion's loss less the challenger's, and its standard error over questions. */
    readonly gain: number
    readonly standardError: number
  }
  /** Questions of the shipped benchmark that each answers right. */
  readonly benchmark: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
  }
}

/** A trained selector with its history. `ParserModel` is what `src/selection` trains; everybody else only carries it. */
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
  /** What votes taught it, for results that only free paths came to. The shipped one learned from none and has none. */
  readonly shift?: FeedbackShift
}

/** The selector to rank by now; never rejects: without a store, or with a version it cannot read, the shipped one. */
export type LoadChampion = () => Promise<Champion>

/** How well one way to make candidates has done, by people's feedback (SSEV 3.1.2). */
export interface ExpertRecord {
  /** Lineage of its candidates. */
  readonly expert: string
  /** From 0 to 1; 1 before any mistake. */
  readonly weight: number
  readonly mistakes: number
  readonly rounds: number
}

/** What a selector saw when it chose an answer: kept so that what people do about the answer can teach it. */
export interface SelectionSnapshot {
  /** Of the selector that chose, as `SelectorVersion.version`. */
  readonly version: string
  /** All groups that it ranked, in their order before it did. */
  readonly groups: readonly MeasuredGroup[]
}

/** Keeps what the selector saw of a question; a later choice for the same question replaces it. */
export type SaveSnapshot = (questionId: string, snapshot: SelectionSnapshot) => Promise<void>
