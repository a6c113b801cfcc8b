import type { BreakdownPlan } from './breakdown.ts'
import type { Catalog } from './catalog.ts'
import type { ModelReply } from './model.ts'
import type { Interpretation } from './reading.ts'
import type { ChainLink, Transcript } from './thread.ts'
import type { FindValues } from './value-match.ts'

/** A question that changes the one before it. */
export interface FollowUp {
  /** What was typed, for instance `and by month?`. */
  readonly said: string
  /** When (ISO): what its periods mean. */
  readonly askedAt: string
  /** The question before it, as a whole. */
  readonly before: string
  /** The questions it builds on, oldest first; the last is the one it changes. Never empty. */
  readonly chain: readonly ChainLink[]
  /** How sure the changed answer was, from 0 to 1: a change of it is no surer. */
  readonly confidence: number
}

/** How the rows are wanted, where somebody said so. */
export type RequestedView = 'chart' | 'table'

/** What a follow-up is read from. */
export interface FollowUpInput {
  readonly followUp: FollowUp
  readonly catalog: Catalog
  readonly findValues: FindValues
  /** In whose days. */
  readonly timeZone: string
}

/**
 * What a message is after an answered question. `new`: a question of its own. `edit`: a change, with the whole question
 * in words and the readings of it, best first. `breakdown`: it asks why a number is what it is. `unreadable`: meant as a change, but not one that can be made; `examples`
 * are changes that can.
 */
export type FollowUpInterpretation =
  | { readonly kind: 'new' }
  | {
      readonly kind: 'edit'
      readonly text: string
      readonly readings: readonly Interpretation[]
      readonly show: RequestedView | null
    }
  | {
      readonly kind: 'breakdown'
      readonly text: string
      readonly plan: BreakdownPlan
      /** How sure its numbers are, from 0 to 1. */
      readonly confidence: number
    }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly examples: readonly string[] }

/** Reads a follow-up without any model. Pure, never throws. */
export type InterpretFollowUp = (input: FollowUpInput) => FollowUpInterpretation

/** A message as a whole question, or that it was one already; `unclear` where not even that can be told. */
export interface RewrittenQuestion {
  readonly kind: 'follow-up' | 'new-question' | 'unclear'
  readonly question: string
}

/** Has a model rewrite a follow-up from the transcript. Throws `ModelError` as `AskForSql` does. */
export type AskForRewrite = (request: {
  readonly said: string
  readonly transcript: Transcript
  readonly questionId?: string
  readonly signal?: AbortSignal
}) => Promise<ModelReply<RewrittenQuestion>>
