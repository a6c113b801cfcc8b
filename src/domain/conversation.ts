import type { Catalog } from './catalog.ts'
import type { Assumption, ChangeProblem, Interpretation } from './interpretation.ts'
import type { AnswerMeaning } from './metrics/metric-reading.ts'
import type { SemanticLayer } from './metrics/semantic-layer.ts'
import type { ModelReply } from './model.ts'
import type { FindValues } from './question-context.ts'

/** An answered question of a thread, as later questions in that thread see it. */
export interface ConversationTurn {
  readonly questionId: string
  /** The text as typed. It is data from a person, never an instruction. */
  readonly originalText: string
  /** The words that changed the question before it; left out if they are the text as typed. */
  readonly changedBy?: string
  /** The self-contained question it was understood as. */
  readonly text: string
  readonly askedBy: string | null
  readonly askedAt: Date
  readonly sql: string
  readonly headline: string
  readonly assumptions: readonly string[]
  /** From 0 to 1. */
  readonly confidence: number
  /** For a follow-up, the earlier questions it changed, oldest first, without itself. */
  readonly chain: readonly ChainLink[]
  /** Set if it was not answered yet but asked back about: the question back, with its options. */
  readonly askedBack?: string
}

/** A message in the thread that was not for the bot. It is untrusted data, never an instruction. */
export interface ThreadComment {
  readonly by: string
  readonly text: string
  readonly at: Date
}

/**
 * The bot's own transcript of a thread up to a question, oldest first and bounded. It is never read from the platform's
 * history.
 */
export interface Transcript {
  readonly turns: readonly ConversationTurn[]
  readonly comments: readonly ThreadComment[]
}

/** The most turns and comments a transcript holds: the latest ones. */
export const transcriptLimits = { turns: 8, remarks: 12, remarkCharacters: 300 } as const

/** A transcript without turns or comments. */
export const emptyTranscript: Transcript = { turns: [], comments: [] }

/** Loads what was said in the thread before a question; empty for the first question, or one outside a thread. */
export type LoadTranscript = (questionId: string) => Promise<Transcript>

/**
 * One question of a chain of follow-ups, with the SQL that answered it. `askedAt` (ISO) anchors its relative periods.
 */
export interface ChainLink {
  readonly text: string
  readonly askedAt: string
  readonly sql: string
}

/** A question that changes the one before it. */
export interface FollowUp {
  /** The text as typed, such as `and by month?`. */
  readonly said: string
  /** When it was asked (ISO); anchors its relative periods. */
  readonly askedAt: string
  /** The previous question, self-contained. */
  readonly before: string
  /** The questions it builds on, oldest first; the last one is the one it changes. Never empty. */
  readonly chain: readonly ChainLink[]
  /** Confidence of the changed answer, from 0 to 1. The follow-up cannot be more confident. */
  readonly confidence: number
}

/** The words of a turn that changed the question before it, if they are not the text as typed. */
export const changedBy = (
  originalText: string,
  followUp: FollowUp | undefined,
): Pick<ConversationTurn, 'changedBy'> =>
  followUp === undefined || followUp.said === originalText ? {} : { changedBy: followUp.said }

/** How to show the rows, if a person said so. */
export type RequestedView = 'chart' | 'table'

/** Input for interpreting a follow-up. */
export interface FollowUpInput {
  readonly followUp: FollowUp
  readonly catalog: Catalog
  readonly findValues: FindValues
  /** What the business words of the database mean; left out if only its catalog says so. */
  readonly semanticLayer?: SemanticLayer
  /** The time zone that days are in. */
  readonly timeZone: string
}

/**
 * What a message means after an answered question. `new`: an independent question, `isWhole` if its words say so by
 * themselves. `edit`: a change, with the full question and its interpretations, best first; `isSure` if the words can
 * hardly mean anything else. `breakdown`: it asks why a number is what it is. `remark`: it comments on the answer and asks
 * for nothing. `unreadable`: meant as a change that cannot be made; `examples` are changes that can.
 */
export type FollowUpInterpretation =
  | { readonly kind: 'new'; readonly isWhole?: true }
  | { readonly kind: 'remark' }
  | {
      readonly kind: 'edit'
      readonly isSure?: true
      readonly text: string
      readonly readings: readonly (Interpretation & { readonly meaning?: AnswerMeaning })[]
      readonly show: RequestedView | null
    }
  | {
      readonly kind: 'breakdown'
      readonly text: string
      readonly plan: BreakdownPlan
      /** Confidence in its numbers, from 0 to 1. */
      readonly confidence: number
    }
  | { readonly kind: 'unreadable'; readonly problem: ChangeProblem; readonly examples: readonly string[] }

/** Interprets a follow-up without a model. Pure, never throws. */
export type InterpretFollowUp = (input: FollowUpInput) => FollowUpInterpretation

/** What a later message can build on: a question, its SQL, and the columns it showed. */
export interface PreviousAnswer {
  /** Self-contained. */
  readonly question: string
  readonly sql: string
  /** In their order; empty if the SQL does not say. */
  readonly columns: readonly string[]
}

/**
 * What a message of a thread asks, by a model. `question` is self-contained; it is empty for small talk and for what is
 * unclear.
 */
export interface ClassifiedMessage {
  readonly kind: 'follow-up' | 'new-question' | 'small-talk' | 'unclear'
  readonly question: string
}

/** Asks a model to classify a message of a thread and to rewrite a follow-up. Throws `ModelError` as `AskForSql` does. */
export type AskForRewrite = (request: {
  readonly message: string
  readonly transcript: Transcript
  /** The columns that the last answer showed. */
  readonly columns: readonly string[]
  /** Tables of the database with some of their columns, one a line. */
  readonly tables: string
  readonly questionId?: string
  readonly signal?: AbortSignal
}) => Promise<ModelReply<ClassifiedMessage>>

/**
 * What a breakdown compares. `period`: the measure in one period and another, and the change. `group`: the measure of
 * one group and of all.
 */
export interface Contrast {
  readonly kind: 'period' | 'group'
  /** What to explain, such as `March 2026` or `Germany`. */
  readonly subject: string
  /** What to compare it with, such as `February 2026`; `all` for a group. */
  readonly beside: string
}

/**
 * One dimension to split by. Both statements return a row per value: value, beside, subject and change for a period;
 * value, subject and beside for a group. They differ in order: largest decrease first, or largest increase first.
 */
export interface BreakdownDimension {
  /** In words, such as `country of the customer`. */
  readonly label: string
  readonly sql: { readonly falling: string; readonly rising: string }
}

/** How to break down a number of an earlier answer. Running the statements shows which dimension explains the most. */
export interface BreakdownPlan {
  readonly contrast: Contrast
  /** One row without a split, with the same columns except the value. */
  readonly totals: string
  /** Likeliest explanation first. */
  readonly dimensions: readonly BreakdownDimension[]
  /** How the question was understood, shown with the answer. */
  readonly assumptions: readonly Assumption[]
}
