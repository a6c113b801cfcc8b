import type { Candidate, ExecutionGroup } from './candidate.ts'
import type { Catalog } from './catalog.ts'
import type { RuleMeaning } from './knowledge.ts'
import type { AnswerSubject } from './metrics/answer-meaning.ts'
import type { ResultHead } from './result.ts'

/** One option of a clarification, with the candidates it keeps. */
export interface ClarificationOption {
  readonly label: string
  /** What the option would return, such as `5 rows`. Empty if unknown. */
  readonly hint: string
  readonly candidateIds: readonly string[]
  /**
   * What choosing it says about the team's terms, to propose a glossary rule; left out if nothing lasting follows from
   * it.
   */
  readonly means?: RuleMeaning
  /**
   * What choosing it does when the clarification asks whether to run an expensive statement: run it, suggest narrower
   * questions, or cancel. Left out if the options are interpretations.
   */
  readonly act?: 'run' | 'narrow' | 'cancel'
}

/** A clarification with two to four options. `defaultOption` (an index) is used if nobody answers. */
export interface Clarification {
  readonly question: string
  readonly options: readonly ClarificationOption[]
  readonly defaultOption: number
}

/**
 * The reply: an option number (from 1) or text. The default is used if nobody replied (`expired`), or if the words were
 * only "yes" or "thanks" (`unnamed`).
 */
export type ClarificationReply =
  | {
      readonly kind: 'option'
      readonly number: number
      readonly expired?: true
      readonly unnamed?: true
    }
  | { readonly kind: 'text'; readonly text: string }

/** A clarification with its expected value. */
export interface ScoredClarification {
  readonly clarification: Clarification
  /** Expected information gain in bits: H(Y) - H(Y|X), with Y the right group and X the chosen option. */
  readonly gain: number
  /** Expected probability of a right answer after asking, minus that of answering at once; 0 to 1. */
  readonly value: number
  /**
   * `ask`: no group clearly leads, and a person could settle what differs. `offer`: one leads; the other options stand
   * beside its answer. `last-resort`: what models drafted differs in a way that is hard to put to a person, so ask only
   * if nothing can be answered.
   */
  readonly use: 'ask' | 'offer' | 'last-resort'
}

/**
 * Finds the best clarification for the groups of a question, given best group first with probabilities as scores.
 * `heads` are the first rows by result id, as far as available. Null if the groups do not differ in a way a person
 * could settle. Pure. The caller decides whether asking is worth it.
 */
export type FindClarification = (given: {
  readonly question: string
  readonly catalog: Catalog
  readonly groups: readonly ExecutionGroup[]
  readonly candidates: readonly Candidate[]
  /** Drafts that say the schema cannot answer; none if left out. */
  readonly cannotAnswer?: number
  readonly heads?: ReadonlyMap<string, ResultHead>
  /** What an answer would show, to label the options in the words of the business. */
  readonly subjectOf?: (candidate: Candidate) => AnswerSubject | null
}) => ScoredClarification | null

/** Takes the single reply to a clarification. `late` if another reply or the expiry came first. */
export type ReplyToClarification = (given: {
  readonly questionId: string
  readonly reply: ClarificationReply
  readonly repliedBy: string | null
}) => Promise<'taken' | 'late'>
