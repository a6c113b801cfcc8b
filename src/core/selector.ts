import type { CandidateObservation } from './observation.ts'
import type { CandidateVote } from './standing.ts'

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
