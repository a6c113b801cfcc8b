import { ReducedValue } from '@langchain/langgraph'
import { z } from 'zod'
import type { CannotAnswer, ExecutionGroup } from '../../../src/domain/candidate.ts'
import type { ErrorCode, SqlErrorClass } from '../../../src/domain/errors.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { AgentCall } from '../../../src/domain/strategies/strategy.ts'
import type { TracedFailure } from '../../../src/domain/trace.ts'
import type { AskedQuestion } from '../../answer/state.ts'

/** What is wrong with a statement that was run, or that was not let through. */
export interface Problem {
  readonly errorClass: SqlErrorClass
  readonly message: string
}

/** A channel that items are added to, also by several branches at once. */
export const listChannel = <Item>() =>
  new ReducedValue(
    z.custom<readonly Item[]>().default(() => []),
    { reducer: (items: readonly Item[], more: readonly Item[]) => [...items, ...more] },
  )

/**
 * What the graph of every published system holds besides its own channels. As everywhere, ids and facts alone: statements
 * and rows are in the run store.
 */
export const agentChannels = {
  question: z.custom<AskedQuestion>(),
  /** Counts replies in words, from 0. */
  attempt: z.number().default(0),
  calls: listChannel<AgentCall>(),
  usage: new ReducedValue(
    z.custom<ModelUsage>().default(() => noModelUsage),
    { reducer: addModelUsage },
  ),
  failures: listChannel<TracedFailure>(),
  cannotAnswer: listChannel<CannotAnswer>(),
  /** Candidates in the order in which they were written. */
  candidateIds: listChannel<string>(),
  /** Why no agent is asked any more: a model failed, or the budget is spent. */
  halted: z.custom<ErrorCode | null>().default(() => null),
  /** Best first; set by the last node. */
  groups: z.custom<readonly ExecutionGroup[]>().default(() => []),
}

/** The channels as a node reads them. */
export interface AgentState {
  readonly question: AskedQuestion
  readonly attempt: number
  readonly calls: readonly AgentCall[]
  readonly usage: ModelUsage
  readonly failures: readonly TracedFailure[]
  readonly cannotAnswer: readonly CannotAnswer[]
  readonly candidateIds: readonly string[]
  readonly halted: ErrorCode | null
  readonly groups: readonly ExecutionGroup[]
}

/** What a node may write of them, besides what asking and drafting write by themselves. */
export type AgentUpdate = Partial<AgentState>
