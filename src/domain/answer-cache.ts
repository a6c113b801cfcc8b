import type { Outcome } from './answer.ts'
import type { Candidate, ExecutionGroup } from './candidate.ts'
import type { QuestionContext } from './question-context.ts'

/** What makes two questions one: equal keys have equal answers. All parts count. */
export interface AnswerCacheKey {
  /** As in `Question.database`, glossary included. */
  readonly database: string
  /** Fingerprint of the catalog, scope and knowledge included. */
  readonly schemaVersion: string
  /** The self-contained question, normalised, with its relative periods resolved to days. */
  readonly question: string
  /** Fingerprint of what answers: models, thresholds, prompts and code, and the selector in use. */
  readonly answeredBy: string
  /** As `RightsFingerprint` gives it; who has none is never answered from the cache. */
  readonly rights: string
}

/** An answer that may be shown again. */
export interface CachedAnswer {
  /** The question that it was the answer of; its report and its saved rows are read from the store. */
  readonly questionId: string
  readonly answeredAt: Date
}

/** Answers of a while ago, shared by all processes. Neither rejects: without a cache a question is answered anew. */
export interface AnswerCache {
  find(key: AnswerCacheKey): Promise<CachedAnswer | null>
  store(key: AnswerCacheKey, answer: CachedAnswer, forMs: number): Promise<void>
  /** Forgets every answer of a question: it was voted down, changed or taken back. */
  forget(questionId: string): Promise<void>
}

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
  readonly context: QuestionContext
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
