import type { Outcome } from './answer.ts'
import type { Candidate, ExecutionGroup } from './candidate.ts'
import type { QuestionContext } from './question-context.ts'

/** The parts that make two questions the same: equal keys have equal answers. */
export interface AnswerCacheKey {
  /** As in `Question.database`, glossary included. */
  readonly database: string
  /** Fingerprint of the catalog, including scope and knowledge. */
  readonly schemaVersion: string
  /** The self-contained question, normalized, with relative periods resolved to days. */
  readonly question: string
  /** Fingerprint of everything that answers: models, thresholds, prompts, code and the current selector. */
  readonly answeredBy: string
  /** As `RightsFingerprint` gives it. Without one, nothing is answered from the cache. */
  readonly rights: string
}

/** An answer that may be shown again, if the store says so. */
export interface CachedAnswer {
  /** The question it answered first; its report, its age and its saved rows are read from the store. */
  readonly questionId: string
}

/** Where earlier answers are, shared by all processes. What it finds is not trusted. No call rejects: without a cache the question is answered again. */
export interface AnswerCache {
  find(key: AnswerCacheKey): Promise<CachedAnswer | null>
  store(key: AnswerCacheKey, answer: CachedAnswer, forMs: number): Promise<void>
  /** Removes every answer of a question that was voted down, changed or withdrawn. */
  forget(questionId: string): Promise<void>
}

/** What to look for: an understood question and the current state of its database. */
export type ReuseQuery = Omit<AnswerCacheKey, 'rights' | 'answeredBy'> & {
  readonly questionId: string
  /** Version of the selector that would rank its results now; null if the vote alone ranks them. */
  readonly selector: string | null
}

/**
 * An earlier answer with copies of its results that belong to the new question. Its candidates are those behind its
 * rows and its alternatives.
 */
export interface ReusedAnswer {
  /** Id of the question it answered first. */
  readonly from: string
  readonly outcome: Extract<Outcome, { status: 'answered' }>
  readonly candidates: readonly Candidate[]
  readonly groups: readonly ExecutionGroup[]
  /** Its keywords, values and tables. */
  readonly context: QuestionContext
}

/**
 * The result of a lookup. `key` is the key to store an answer under, null if the asker's permissions are unknown.
 * `answer` is null if there is none that can be shown.
 */
export interface ReuseResult {
  readonly key: AnswerCacheKey | null
  readonly answer: ReusedAnswer | null
}

/**
 * Earlier answers as the answer graph uses them. No call rejects: without an earlier answer the question is answered
 * again.
 */
export interface AnswerReuse {
  find(asked: ReuseQuery): Promise<ReuseResult>
  store(key: AnswerCacheKey, questionId: string): Promise<void>
}
