import type { ModelUsage } from './operations/usage.ts'

/**
 * The jobs that models are asked to do, each with settings of its own in querent.yml: `planner` prepares a draft (makes
 * examples for it), `drafter` writes statements, `fixer` repairs them, `judge` compares two, `explainer` puts an answer
 * into words, `keywords` finds what of a question stands for data, `describer` describes tables, `rewriter` makes a whole
 * question of a follow-up.
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

/** Every role. */
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

/** Text of one call, rendered from `prompts/<prompt>.md` with every variable filled. */
export interface ModelRequest {
  readonly role: ModelRole
  readonly prompt: string
  readonly variables: Readonly<Record<string, string>>
  /** Which of several drafters is asked (`models.drafters`); the role's own model without it. */
  readonly model?: string
  /** Whose budget pays. Calls without it share none and are held to the limits of one question each. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/**
 * What a structured call gave: the checked value, and what it cost, repairs of malformed replies included. `model` is
 * who wrote it, which is a fallback where the model that was asked could not be reached.
 */
export interface ModelReply<T> {
  readonly value: T
  readonly usage: ModelUsage
  readonly model?: string
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

/** Which of two statements answers a question, and why, in a sentence. */
interface PairJudgment {
  readonly winner: 'first' | 'second'
  readonly reason: string
}

/** Asks for a judgement of two statements. Throws `ModelError` as `AskForSql` does. */
export type AskForJudgment = (request: ModelRequest) => Promise<ModelReply<PairJudgment>>

/**
 * Turns texts into vectors of one length, in their order; what is near in sense is near in direction. Throws
 * `model-failed` when the endpoint cannot be asked or answers otherwise, `cancelled` when the signal fired.
 */
type EmbedTexts = (
  texts: readonly string[],
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly Float32Array[]>

/** A model that embeds. Vectors of one name may be compared with each other, and with no others. */
export interface Embedder {
  readonly model: string
  readonly embed: EmbedTexts
}
