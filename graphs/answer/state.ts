import { ReducedValue, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import { type Outcome, type WrittenReason, writtenReason } from '../../src/domain/answer.ts'
import type { AnswerCacheKey } from '../../src/domain/answer-cache.ts'
import {
  type CannotAnswer,
  type DraftOrigin,
  type ExecutionGroup,
  parseCandidateId,
} from '../../src/domain/candidate.ts'
import type { Clarification, ClarificationReply } from '../../src/domain/clarification.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../src/domain/operations/usage.ts'
import type { RequestKind } from '../../src/domain/question-context.ts'
import type { AgentCall, StrategyName } from '../../src/domain/strategies/strategy.ts'
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
  /** Replies in words to questions back, oldest first. Runs of an earlier version have them in `text`. */
  readonly replies?: readonly string[]
  /** What was given with the question beside its words. */
  readonly evidence?: string
  readonly database: string
  readonly askedAt: string
  readonly timeZone: string
}

/** What is asked: the question, and in brackets what its replies added. */
export const questionText = ({ text, replies = [] }: Pick<AskedQuestion, 'text' | 'replies'>): string =>
  [text, ...replies.map(reply => `(${reply})`)].join(' ')

/**
 * The outcome of a run. One that ended in an earlier version has sentences in place of a reason's code, or the sentence
 * of an impossible change in place of the problem.
 */
export const outcomeOf = ({ outcome }: Pick<State, 'outcome'>): Outcome | null => {
  if (outcome?.status !== 'refused' && outcome?.status !== 'failed') return outcome
  const { why, reason, nextStep, ...rest } = outcome as Omit<typeof outcome, 'why'> &
    Partial<EarlierReason & Omit<WrittenReason, 'code'>>
  if (why?.explanation !== undefined)
    return { ...rest, why: writtenReason({ reason: why.explanation, nextStep: '' }) } as Outcome
  if (why !== undefined) return outcome
  const written = writtenReason({ reason: reason ?? '', nextStep: nextStep ?? '' })
  return { ...rest, why: written } as Outcome
}

interface EarlierReason {
  readonly why: { readonly explanation?: string }
}

/** A candidate that was drafted, in which round, and along which path; runs of an earlier version lack the path. */
interface DraftedCandidate extends Omit<DraftOrigin, 'sample'> {
  readonly id: string
  readonly path?: string
}

/**
 * What a checkpoint holds: ids and facts. The question context and the candidates are in the run store, rows are saved
 * results, so a fan-out stays small (measured: whole state in each `Send` makes checkpoints six times larger).
 */
export const AnswerState = new StateSchema({
  question: z.custom<AskedQuestion>(),
  /** The stored name of the attempt: a reply in words starts the next. */
  round: z.number().default(0),
  kind: z.custom<RequestKind>().nullable().default(null),
  /** How the question is answered; runs of an earlier version do not say, and go on as the settings say. */
  strategy: z.custom<StrategyName | null>().default(() => null),
  /** It asks why a number of an earlier answer is what it is: that is broken down, and nothing else is drafted. */
  isWhy: z.boolean().default(false),
  /** Where the answer may be kept for anyone who asks the same; null if it may not. */
  cacheKey: z.custom<AnswerCacheKey | null>().default(() => null),
  /** The drafts of the current round; empty once drafting is over. */
  planned: z.custom<readonly PlannedDraft[]>().default(() => []),
  /** The reading that a model is to repair, or has repaired, in which attempt. One an attempt at most. */
  modelRepair: z
    .custom<{ readonly attempt: number; readonly candidateId: string; readonly isDue: boolean } | null>()
    .default(() => null),
  /** The stored name of the rounds: every decision to draft or to stop, with its reason. */
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
  /** What `candidateIds` has, with the round; runs of an earlier version have the ids alone. */
  drafted: new ReducedValue(
    z.custom<readonly DraftedCandidate[]>().default(() => []),
    {
      reducer: (drafted: readonly DraftedCandidate[], more: readonly DraftedCandidate[]) => [
        ...drafted,
        ...more,
      ],
    },
  ),
  groups: z.custom<readonly ExecutionGroup[]>().default(() => []),
  /** Most drafts of models say that the question has several meanings, whose results differ. */
  isAmbiguous: z.boolean().default(false),
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
  /** Drafts that say the schema cannot answer: they count in the vote. */
  cannotAnswer: new ReducedValue(
    z.custom<readonly CannotAnswer[]>().default(() => []),
    {
      reducer: (drafts: readonly CannotAnswer[], more: readonly CannotAnswer[]) => [...drafts, ...more],
    },
  ),
  /** Drafts without a statement, for the trace. */
  failures: new ReducedValue(
    z.custom<readonly TracedFailure[]>().default(() => []),
    {
      reducer: (failures: readonly TracedFailure[], more: readonly TracedFailure[]) => [...failures, ...more],
    },
  ),
  /** Calls of the agents of a published system, in order. */
  calls: new ReducedValue(
    z.custom<readonly AgentCall[]>().default(() => []),
    { reducer: (calls: readonly AgentCall[], more: readonly AgentCall[]) => [...calls, ...more] },
  ),
  /** A published system came to nothing because its model failed: the question is read without a model. */
  needsFreeReading: z.boolean().default(false),
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

/** The progress of drafting: `attempt` starts over after a reply in words, `round` is the current set of drafts. */
export const draftingPosition = ({
  round: attempt,
  waves,
}: Pick<State, 'round' | 'waves'>): Pick<DraftOrigin, 'attempt' | 'round'> => ({
  attempt,
  round: waves.filter(wave => wave.round === attempt).length - 1,
})

/** Ids of the candidates of the current round. */
export const candidatesOfRound = (state: State): readonly string[] => {
  const position = draftingPosition(state)
  const origins = new Map(state.drafted.map(({ id, ...origin }) => [id, origin]))
  return state.candidateIds.filter(id => {
    const { attempt, round } = origins.get(id) ?? parseCandidateId(id)
    return attempt === position.attempt && round === position.round
  })
}

/** What a drafting branch receives: ids only. `round` and `wave` are the stored names of attempt and round. */
export interface DraftTask {
  readonly question: AskedQuestion
  readonly round: number
  readonly wave: number
  readonly path: string
  readonly sample: number
}

/** What the branch that asks for keywords receives. */
export interface KeywordsTask {
  readonly question: AskedQuestion
}

/** What a repairing branch receives. `candidateId` is null for a path that drafted nothing. */
export interface RepairTask {
  readonly question: AskedQuestion
  readonly candidateId: string | null
  /** Rules are through with it, and a model is to repair it. */
  readonly byModel?: boolean
}
