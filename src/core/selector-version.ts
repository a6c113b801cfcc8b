import type { FeedbackShift, RankGroups } from './selector.ts'

/**
 * Where a trained selector stands. One is `champion` and ranks answers; with none it is the shipped one. `retired` was
 * champion before; `rejected` never was, or a person rolled it back.
 */
export type SelectorState = 'champion' | 'retired' | 'rejected'

export const selectorStates = ['champion', 'retired', 'rejected'] as const satisfies readonly SelectorState[]

/** Name of the selector that comes with Querent. It is in no table and can always be gone back to. */
export const shippedVersion = 'shipped'

/** Why a challenger was promoted, or was not. */
export type ChallengeVerdict = 'promoted' | 'not-better-on-votes' | 'worse-on-benchmark'

/** What a challenger was judged by. Losses are mean logistic losses of the held-out votes: lower is better. */
export interface ChallengeReport {
  /** The champion that it was compared with. */
  readonly against: string
  readonly verdict: ChallengeVerdict
  /** What it learned from, the held-out part aside. */
  readonly trainedOn: { readonly questions: number; readonly voters: number; readonly weight: number }
  readonly heldOut: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
    /** Champion's loss less the challenger's, and its standard error over questions. */
    readonly gain: number
    readonly standardError: number
  }
  /** Questions of the shipped benchmark that each answers right. */
  readonly benchmark: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
  }
}

/** A trained selector with its history. `ParserModel` is what `src/selection` trains; everybody else only carries it. */
export interface SelectorVersion<Model = unknown> {
  readonly version: string
  readonly state: SelectorState
  readonly model: Model
  readonly report: ChallengeReport
  readonly trainedAt: Date
  /** Who promoted it or rolled it back by hand; null for the nightly training. */
  readonly decidedBy: string | null
  readonly decidedAt: Date
}

/** The selector in use. */
export interface Champion {
  readonly version: string
  readonly rank: RankGroups
  /** What votes taught it, for results that only free paths came to. The shipped one learned from none and has none. */
  readonly shift?: FeedbackShift
}

/** The selector to rank by now; never rejects: without a store, or with a version it cannot read, the shipped one. */
export type LoadChampion = () => Promise<Champion>

/** How well one way to make candidates has done, by people's feedback (SSEV 3.1.2). */
export interface ExpertRecord {
  /** Lineage of its candidates. */
  readonly expert: string
  /** From 0 to 1; 1 before any mistake. */
  readonly weight: number
  readonly mistakes: number
  readonly rounds: number
}
