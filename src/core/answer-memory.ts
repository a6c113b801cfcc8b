import type { Outcome } from './answer.ts'
import type { AnswerCacheKey } from './answer-cache.ts'
import type { QuestionContext } from './brief.ts'
import type { Candidate } from './candidate.ts'
import type { ExecutionGroup } from './execution-group.ts'

/** What is looked for: a question as it was understood, of a database as it is. */
export type ReuseQuery = Omit<AnswerCacheKey, 'rights' | 'answeredBy'> & {
  readonly questionId: string
  /** Version of the selector that would rank its results now; null where the vote alone does. */
  readonly selector: string | null
}

/**
 * An answer of a while ago, with copies of its results that belong to the question it is for. Its candidates are those
 * that its rows and its other readings are of.
 */
export interface ReusedAnswer {
  /** Whose answer it was. */
  readonly from: string
  readonly outcome: Extract<Outcome, { status: 'answered' }>
  readonly candidates: readonly Candidate[]
  readonly groups: readonly ExecutionGroup[]
  /** What was found for it: keywords, values and tables. */
  readonly brief: QuestionContext
}

/**
 * What came of looking. `key` is where an answer may be kept, null where the asker's rights are not known. `answer` is
 * null where there is none that may be shown.
 */
export interface ReuseResult {
  readonly key: AnswerCacheKey | null
  readonly answer: ReusedAnswer | null
}

/** Answers of a while ago, as the answer graph uses them. Neither rejects: without one a question is answered anew. */
export interface AnswerReuse {
  find(asked: ReuseQuery): Promise<ReuseResult>
  store(key: AnswerCacheKey, questionId: string): Promise<void>
}
