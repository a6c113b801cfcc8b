import { ReducedValue, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { Outcome } from '../../src/domain/answer.ts'
import type { AnswerCacheKey } from '../../src/domain/answer-cache.ts'
import type { ExecutionGroup } from '../../src/domain/candidate.ts'
import type { Clarification, ClarificationReply } from '../../src/domain/clarification.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../src/domain/operations/usage.ts'
import type { RequestKind } from '../../src/domain/question-context.ts'
import {
  type ComparisonRecord,
  type DraftingRoundRecord,
  mergeSteps,
  type PlannedDraft,
  type TracedFailure,
  type TracedStep,
} from '../../src/domain/trace.ts'

/** The question as the graph carries it: text and facts, dates as ISO text so that a checkpoint can hold them. */
export interface AskedQuestion {
  readonly id: string
  readonly text: string
  readonly database: string
  readonly askedAt: string
  readonly timeZone: string
}

/**
 * What a checkpoint holds: ids and facts. The brief and the candidates are on the workbench, rows are saved
 * results, so a fan-out stays small (measured: whole state in each `Send` makes checkpoints six times larger).
 */
export const AnswerState = new StateSchema({
  question: z.custom<AskedQuestion>(),
  /** Which round of drafting this is; a reply in words starts the next. Candidate ids begin with it. */
  round: z.number().default(0),
  kind: z.custom<RequestKind>().nullable().default(null),
  /** It asks why a number of an earlier answer is what it is: that is broken down, and nothing else is drafted. */
  isWhy: z.boolean().default(false),
  /** Where the answer may be kept for whoever asks the same; null where it may not. */
  cacheKey: z.custom<AnswerCacheKey | null>().default(() => null),
  /** The drafts of the wave under way; empty once drafting is over. */
  planned: z.custom<readonly PlannedDraft[]>().default(() => []),
  /** Every step of drafting with its reason, stops included. */
  waves: new ReducedValue(
    z.custom<readonly DraftingRoundRecord[]>().default(() => []),
    {
      reducer: (waves: readonly DraftingRoundRecord[], more: readonly DraftingRoundRecord[]) => [
        ...waves,
        ...more,
      ],
    },
  ),
  candidateIds: new ReducedValue(
    z.array(z.string()).default(() => []),
    { reducer: (ids: string[], more: string[]) => [...new Set([...ids, ...more])] },
  ),
  groups: z.custom<readonly ExecutionGroup[]>().default(() => []),
  /** Which results were compared in pairs, and by whom, for the trace. */
  comparisons: new ReducedValue(
    z.custom<readonly ComparisonRecord[]>().default(() => []),
    {
      reducer: (comparisons: readonly ComparisonRecord[], more: readonly ComparisonRecord[]) => [
        ...comparisons,
        ...more,
      ],
    },
  ),
  /** The one question back this request may have; stays set once asked, so that it is asked once. */
  clarification: z.custom<Clarification | null>().default(() => null),
  reply: z.custom<ClarificationReply | null>().default(() => null),
  outcome: z.custom<Outcome | null>().default(() => null),
  /** Drafts that came to nothing, for the trace. */
  failures: new ReducedValue(
    z.custom<readonly TracedFailure[]>().default(() => []),
    {
      reducer: (failures: readonly TracedFailure[], more: readonly TracedFailure[]) => [...failures, ...more],
    },
  ),
  /** What each step took, summed up, for the trace. */
  steps: new ReducedValue(
    z.custom<readonly TracedStep[]>().default(() => []),
    { reducer: mergeSteps },
  ),
  usage: new ReducedValue(
    z.custom<ModelUsage>().default(() => noModelUsage),
    { reducer: addModelUsage },
  ),
})

export type State = typeof AnswerState.State

export type Update = typeof AnswerState.Update

/** What a drafting branch receives: ids only. */
export interface DraftTask {
  readonly question: AskedQuestion
  readonly round: number
  readonly wave: number
  readonly path: string
  readonly sample: number
}

/** What a repairing branch receives. `candidateId` is null for a path that drafted nothing. */
export interface RepairTask {
  readonly question: AskedQuestion
  readonly candidateId: string | null
}

/** How the ids of a wave's candidates begin. Sorted ids are in the order of making: round, then wave. */
export const candidateIdPrefix = ({
  round,
  wave,
}: {
  readonly round: number
  readonly wave: number
}): string => `${round}/${String(wave).padStart(2, '0')}/`
