import type { Candidate } from './candidate.ts'

/** Candidates whose results are equal (design/pipeline.md 7). `score` is the estimated probability of being right. */
export interface ExecutionGroup {
  readonly key: string
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  readonly score: number
  /** Why it stands where it does, in words; left out where nobody compared. */
  readonly reasons?: readonly string[]
}

/** Groups the candidates that ran, best group first. */
export type GroupCandidates = (candidates: readonly Candidate[]) => readonly ExecutionGroup[]
