import type { QuestionContext } from './brief.ts'
import type { Candidate } from './candidate.ts'

/**
 * What a question has on the bench while it is worked on. It lies outside the graph's state, so that a fan-out
 * sends ids only and checkpoints stay small; it is kept where a crash of the process cannot reach it.
 */
export interface RunStore {
  /** Puts the brief down, over an earlier one of the same question. */
  saveContext(questionId: string, brief: QuestionContext): Promise<void>
  /** The brief. Rejects with `internal` when there is none: the graph saves it before anybody asks. */
  loadContext(questionId: string): Promise<QuestionContext>
  /** Adds candidates, or replaces those of the same ids. */
  saveCandidates(questionId: string, candidates: readonly Candidate[]): Promise<void>
  /** All candidates of a question in the order of their ids. */
  loadCandidates(questionId: string): Promise<readonly Candidate[]>
}
