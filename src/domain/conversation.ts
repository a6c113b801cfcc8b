import type { Catalog } from './catalog.ts'
import type { Interpretation } from './interpretation.ts'
import type { ModelReply } from './model.ts'
import type { FindValues } from './question-context.ts'

/** An answered question of a thread, as later questions of that thread see it. */
export interface ConversationTurn {
  readonly questionId: string
  /** What was typed. Written by whoever asked: data, never an instruction. */
  readonly originalText: string
  /** The self-contained question that it was read as. */
  readonly text: string
  readonly askedBy: string | null
  readonly askedAt: Date
  readonly sql: string
  readonly headline: string
  readonly assumptions: readonly string[]
  /** From 0 to 1. */
  readonly confidence: number
  /** Where it was a follow-up itself: the questions it changed, oldest first, itself left out. */
  readonly chain: readonly ChainLink[]
}

/** What somebody said in the thread that was no question to us. Untrusted, and never an instruction. */
export interface ThreadComment {
  readonly by: string
  readonly text: string
  readonly at: Date
}

/** Our own transcript of a thread up to a question, oldest first, bounded. Never read from the platform's history. */
export interface Transcript {
  readonly turns: readonly ConversationTurn[]
  readonly comments: readonly ThreadComment[]
}

/** Turns and remarks that a transcript holds at most: the latest. */
export const transcriptLimits = { turns: 8, remarks: 12, remarkCharacters: 300 } as const

/** Nothing was said before. */
export const emptyTranscript: Transcript = { turns: [], comments: [] }

/** What was said in the thread of a question before it; empty where it is the first, or was asked in no thread. */
export type LoadTranscript = (questionId: string) => Promise<Transcript>

/** One question of a chain of follow-ups with the SQL that answered it; `askedAt` (ISO) is what its periods mean. */
export interface ChainLink {
  readonly text: string
  readonly askedAt: string
  readonly sql: string
}

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
  readonly message: string
  readonly transcript: Transcript
  readonly questionId?: string
  readonly signal?: AbortSignal
}) => Promise<ModelReply<RewrittenQuestion>>

/**
 * What a breakdown puts side by side. `period`: the measure in one period and in another, and the change between them.
 * `group`: the measure of one group beside that of all.
 */
export interface Contrast {
  readonly kind: 'period' | 'group'
  /** What is to be explained, for instance `March 2026` or `Germany`. */
  readonly subject: string
  /** What it stands beside, for instance `February 2026`; for a group, `all`. */
  readonly beside: string
}

/**
 * One way to split. Both statements give a row for each value: value, beside, subject and change for a period; value,
 * subject and beside for a group. They differ in their order: largest fall first, or largest rise first.
 */
export interface BreakdownDimension {
  /** In words, for instance `country of the customer`. */
  readonly label: string
  readonly sql: { readonly falling: string; readonly rising: string }
}

/** How a number of an earlier answer can be taken apart. Which dimension tells most is found by running them. */
export interface BreakdownPlan {
  readonly contrast: Contrast
  /** One row without a split, its columns as those of a dimension without the value. */
  readonly totals: string
  /** The likeliest to tell something first. */
  readonly dimensions: readonly BreakdownDimension[]
  /** How the question was read, for whoever sees the answer. */
  readonly assumptions: readonly string[]
}
