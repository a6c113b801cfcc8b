import type { Usage } from './usage.ts'

/** The jobs a model is asked to do; each has its own model name and temperature in querent.yml. */
export type ModelRole = 'drafter' | 'fixer' | 'describer' | 'keywords'

/** Text of one call, rendered from `prompts/<prompt>.md` with every variable filled. */
export interface ModelRequest {
  readonly role: ModelRole
  readonly prompt: string
  readonly variables: Readonly<Record<string, string>>
  /** Whose budget pays. Calls without it share none and are held to the limits of one question each. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** What a structured call gave: the checked value, and what it cost, repairs of malformed replies included. */
export interface ModelReply<T> {
  readonly value: T
  readonly usage: Usage
}

/** A drafted statement, as every drafting and fixing prompt must return it. */
export interface DraftedSql {
  readonly sql: string
  readonly assumptions: readonly string[]
}

/**
 * Asks for one statement; an empty `sql` says that the schema cannot answer. Throws `ModelError`: `model-failed`
 * once retries are spent, `budget-spent` before the call that would go over, `cancelled` when the signal fired.
 */
export type AskForSql = (request: ModelRequest) => Promise<ModelReply<DraftedSql>>
