import type { Outcome } from './answer.ts'
import type { Candidate, CannotAnswer, ExecutionGroup } from './candidate.ts'
import type { ClarificationReply } from './clarification.ts'
import type { ErrorCode } from './errors.ts'
import type { BudgetLimit, CallLoss, ModelUsage } from './operations/usage.ts'
import type { Keyword, LinkedTable, Understanding, ValueMatch } from './question-context.ts'
import type { AgentCall, StrategyName } from './strategies/strategy.ts'

/**
 * The cost of one graph step in a run. A step that runs per draft or candidate has `times` runs; since they overlap,
 * `milliseconds` is their sum and `longest` the one the run waited for.
 */
export interface TracedStep {
  readonly step: string
  readonly times: number
  readonly milliseconds: number
  readonly longest: number
  readonly modelCalls: number
}

/** A failed draft, and why. */
export interface TracedFailure {
  readonly path: string
  readonly sample: number
  readonly message: string
  /** Left out for errors that are not Querent's. */
  readonly code?: ErrorCode
  /** The limit of the budget that was reached, if one was. */
  readonly limit?: BudgetLimit
  /** Nothing went wrong: the path leaves the question to others. */
  readonly isDeclined?: true
}

/**
 * Work that a question did without: `count` of it, out of `of` (null if unknown). `limit` is the one of the model budget
 * that was reached. Of further drafts, `count` is the limit at which drafting ended.
 */
export interface Shortfall {
  readonly work:
    | 'drafts'
    | 'further-drafts'
    | 'queries'
    | 'repairs'
    | 'comparisons'
    | 'examples'
    | 'keywords'
    | 'follow-up'
    | 'headline'
  readonly count: number
  readonly of: number | null
  readonly why: CallLoss['why'] | 'most-drafts' | 'query-quota'
  readonly limit: BudgetLimit | null
}

/** A group of equal results with its first rows as text; null if they have expired or were left out. */
export interface TracedGroup extends ExecutionGroup {
  readonly head: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
}

/**
 * How one question was answered, from its words to the decision: `--explain` shows it, and it is stored until the run's
 * results expire. Bounded in size; `leftOut` names what was cut.
 */
export interface Trace {
  readonly questionId: string
  /** The question as the run read it, with the words of a reply added. */
  readonly question: string
  readonly database: string
  /** Null if the run ended before the question was read. */
  readonly understanding: Pick<Understanding, 'text' | 'spans' | 'today' | 'timeZone'> | null
  readonly keywords: readonly Keyword[]
  readonly values: readonly ValueMatch[]
  readonly schema: readonly LinkedTable[]
  readonly waves: readonly DraftingRoundRecord[]
  readonly candidates: readonly Candidate[]
  /** Best first, at the time of the decision. */
  readonly groups: readonly TracedGroup[]
  /** Pairwise comparisons, in order. */
  readonly comparisons: readonly ComparisonRecord[]
  readonly reply: ClarificationReply | null
  /** Null while it runs, and if it failed. */
  readonly outcome: Outcome | null
  /** Drafts that say the schema cannot answer. */
  readonly cannotAnswer: readonly CannotAnswer[]
  readonly failures: readonly TracedFailure[]
  readonly steps: readonly TracedStep[]
  /** How it was answered, and the calls of the agents of a published system; left out in traces of an earlier version. */
  readonly strategy?: StrategyName | null
  readonly calls?: readonly AgentCall[]
  readonly usage: ModelUsage
  readonly leftOut: readonly string[]
  /** What the question did without; left out if nothing, and by earlier versions. */
  readonly shortfalls?: readonly Shortfall[]
}

/** Merges steps of the same name, in order of first appearance. */
export const mergeSteps = (
  steps: readonly TracedStep[],
  more: readonly TracedStep[],
): readonly TracedStep[] => {
  const merged = new Map(steps.map(step => [step.step, step]))
  for (const step of more) {
    const known = merged.get(step.step)
    merged.set(
      step.step,
      known === undefined
        ? step
        : {
            step: step.step,
            times: known.times + step.times,
            milliseconds: known.milliseconds + step.milliseconds,
            longest: Math.max(known.longest, step.longest),
            modelCalls: known.modelCalls + step.modelCalls,
          },
    )
  }
  return [...merged.values()]
}

/** One planned draft: its path and sample (from 0), which is also the seed. */
export interface PlannedDraft {
  readonly path: string
  readonly sample: number
}

/**
 * One drafting step and its reason; `drafts` is empty for the decision to stop. `probability` is that the leading
 * result is right; `gain` is what another draft was expected to add, less its cost (null if that was not estimated).
 */
export interface DraftingRoundRecord {
  readonly round: number
  readonly wave: number
  readonly drafts: readonly PlannedDraft[]
  readonly probability: number
  readonly gain: number | null
  readonly reason: string
  /** Drafting stopped here at its most drafts, although another was worth its cost. */
  readonly cappedAt?: number
}

/**
 * One comparison of two groups, by their representative candidates, in the order shown. `by` is what decided: a model,
 * the local ranker, a probe of the results or of small queries, or the vote because the model failed (`reason` then
 * says how).
 */
export interface ComparisonRecord {
  readonly round: number
  readonly first: string
  readonly second: string
  readonly winner: 'first' | 'second'
  readonly by: 'model' | 'scorer' | 'probe' | 'vote'
  readonly reason: string
  /** A model was to decide, and why it did not. */
  readonly lost?: CallLoss
}
