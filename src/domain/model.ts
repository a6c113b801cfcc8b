import type { ModelUsage } from './operations/usage.ts'

/**
 * The roles that models fill, each with its own settings in querent.yml: `planner` generates examples for a draft,
 * `drafter` writes statements, `fixer` repairs them, `judge` compares two, `explainer` phrases the first line of an answer, `keywords`
 * finds which words stand for data, `describer` describes tables, `rewriter` makes a follow-up self-contained.
 */
export type ModelRole =
  | 'planner'
  | 'drafter'
  | 'fixer'
  | 'judge'
  | 'explainer'
  | 'keywords'
  | 'describer'
  | 'rewriter'

export const modelRoles = [
  'planner',
  'drafter',
  'fixer',
  'judge',
  'explainer',
  'keywords',
  'describer',
  'rewriter',
] as const satisfies readonly ModelRole[]

/** One model call, rendered from `prompts/<prompt>.md` with every variable filled. */
export interface ModelRequest {
  readonly role: ModelRole
  readonly prompt: string
  readonly variables: Readonly<Record<string, string>>
  /** One of several drafters (`models.drafters`); the role's own model if left out. */
  readonly model?: string
  /** In place of the model's own, unless that is never sent. */
  readonly temperature?: number
  /** The question whose budget pays. Calls without it share no budget and have the limits of one question each. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/**
 * The result of a structured call: the validated value and its cost, including repairs of malformed replies. `model` is
 * the model that answered, which is a fallback if the requested one could not be reached.
 */
export interface ModelReply<T> {
  readonly value: T
  readonly usage: ModelUsage
  readonly model?: string
}

/** A drafted statement, as every drafting and fixing prompt returns it. What a model says is untrusted text. */
export interface DraftedSql {
  /** Empty if the schema cannot answer; the statement of the first meaning if the question is ambiguous. */
  readonly sql: string
  readonly assumptions: readonly string[]
  /** What the schema lacks, for the person who asked; left out if the model did not say. */
  readonly missing?: string
  /** Set if the model finds that the question has several meanings. */
  readonly ambiguity?: DraftedAmbiguity
}

/** The meanings that a model sees in a question: two to four, the likeliest first. */
export interface DraftedAmbiguity {
  /** The words that can mean several things, as the model quotes them; empty if it did not say. */
  readonly unclear: string
  readonly meanings: readonly { readonly label: string; readonly sql: string }[]
}

/**
 * Asks for one statement, for why there is none, or for one of each meaning. Throws `ModelError`: `model-failed` once
 * retries are used up, `budget-spent` before the call that would exceed the budget, `cancelled` when the signal fired.
 */
export type AskForSql = (request: ModelRequest) => Promise<ModelReply<DraftedSql>>

/** Which of two statements answers a question, and a one-sentence reason. */
interface PairJudgment {
  readonly winner: 'first' | 'second'
  readonly reason: string
}

/** Asks a model to compare two statements. Throws `ModelError` as `AskForSql` does. */
export type AskForJudgment = (request: ModelRequest) => Promise<ModelReply<PairJudgment>>

/**
 * Embeds texts as vectors of equal length, in order; similar meanings have similar directions. Throws `model-failed` if
 * the endpoint is unreachable or replies with something else, `cancelled` when the signal fired.
 */
type EmbedTexts = (
  texts: readonly string[],
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly Float32Array[]>

/** An embedding model. Only vectors of the same model name can be compared. */
export interface Embedder {
  readonly model: string
  readonly embed: EmbedTexts
}

/** Asks a model to phrase the first line of an answer. Throws `ModelError` as `AskForSql` does. */
export type AskForHeadline = (request: ModelRequest) => Promise<ModelReply<string>>
