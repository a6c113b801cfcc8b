import type { Outcome } from './answer.ts'
import type { Candidate, ExecutionGroup } from './candidate.ts'
import type { ClarificationReply } from './clarification.ts'
import type { ErrorCode } from './errors.ts'
import type { ModelUsage } from './operations/usage.ts'
import type { Keyword, LinkedTable, Understanding, ValueMatch } from './question-context.ts'

/**
 * What one step of the graph took in a run. A step that runs once a draft or once a candidate has `times` of them, and
 * since those overlap, `milliseconds` is their sum and `longest` the one that was waited for.
 */
export interface TracedStep {
  readonly step: string
  readonly times: number
  readonly milliseconds: number
  readonly longest: number
  readonly modelCalls: number
}

/** A draft that came to nothing, and why. */
export interface TracedFailure {
  readonly path: string
  readonly sample: number
  readonly message: string
  /** Left out for failures that are not ours. */
  readonly code?: ErrorCode
}

/** A group of equal results with its first rows as text; null where they have expired or were left out. */
export interface TracedGroup extends ExecutionGroup {
  readonly head: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
}

/**
 * How one question was worked on, from its words to the decision: what `--explain` shows, and what is kept of a run
 * until its results expire. Bounded in size; `leftOut` names what was cut for that.
 */
export interface Trace {
  readonly questionId: string
  /** The question as the run read it, with words of a reply added. */
  readonly question: string
  readonly database: string
  /** Null when the run ended before it was read. */
  readonly understanding: Pick<Understanding, 'text' | 'spans' | 'today' | 'timeZone'> | null
  readonly keywords: readonly Keyword[]
  readonly values: readonly ValueMatch[]
  readonly schema: readonly LinkedTable[]
  readonly waves: readonly DraftingRoundRecord[]
  readonly candidates: readonly Candidate[]
  /** Best first, as they stood when the decision was made. */
  readonly groups: readonly TracedGroup[]
  /** Groups that were compared in pairs, in the order of asking. */
  readonly comparisons: readonly ComparisonRecord[]
  readonly reply: ClarificationReply | null
  /** Null while the run goes on, and where it broke. */
  readonly outcome: Outcome | null
  readonly failures: readonly TracedFailure[]
  readonly steps: readonly TracedStep[]
  readonly usage: ModelUsage
  readonly leftOut: readonly string[]
}

/** Steps of the same name become one; the order is that of first appearance. */
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

/** One draft to be made: along which path, and which of its samples (from 0); the sample is also the seed. */
export interface PlannedDraft {
  readonly path: string
  readonly sample: number
}

/**
 * One step of drafting and why it was taken; `drafts` is empty for the decision to stop. `probability` is that of the
 * leading result being right, `gain` what a further draft was expected to add to it less its cost (null where nothing
 * was weighed).
 */
export interface DraftingRoundRecord {
  readonly round: number
  readonly wave: number
  readonly drafts: readonly PlannedDraft[]
  readonly probability: number
  readonly gain: number | null
  readonly reason: string
}

/**
 * One comparison of two groups, by the candidates that stand for them, in the order in which they were seen. `by` says
 * who decided: a model, the local scorer, a probe of what the two results say and what small queries add, or the vote
 * because the model failed (`reason` then says how).
 */
export interface ComparisonRecord {
  readonly round: number
  readonly first: string
  readonly second: string
  readonly winner: 'first' | 'second'
  readonly by: 'model' | 'scorer' | 'probe' | 'vote'
  readonly reason: string
}
