import type { Evidence } from './evidence.ts'

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
export interface DraftingDecision {
  readonly continues: boolean
  /** What going on is expected to add to the probability of a right answer, less what the drafts cost. */
  readonly gain: number
  readonly reason: string
}

export type DecideDrafting = (standing: VoteTally) => DraftingDecision
