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
