import type { BaseCheckpointSaver } from '@langchain/langgraph'
import type { AnswerRuns } from '../../src/domain/answer.ts'
import type { StrategyName } from '../../src/domain/strategies/strategy.ts'
import { makeAnswerRuns, type StrategyRuns } from './answer-runs.ts'
import type { AnswerDeps } from './deps.ts'

/**
 * Answers each question by its strategy: that of its run if it has started, else the one that the caller names, else the
 * one of the settings. The graph of a strategy is built when it is first needed; all of them share their checkpoints.
 */
export const makeRunsByStrategy = (
  {
    depsOf,
    standard,
  }: {
    readonly depsOf: (strategy: StrategyName) => AnswerDeps
    /** Where nobody names one. */
    readonly standard: StrategyName
  },
  checkpointer: BaseCheckpointSaver,
): AnswerRuns => {
  const built = new Map<StrategyName, StrategyRuns>()
  const runsOf = (strategy: StrategyName): StrategyRuns => {
    const runs = built.get(strategy) ?? makeAnswerRuns(depsOf(strategy), checkpointer)
    built.set(strategy, runs)
    return runs
  }
  const runsFor = async (questionId: string, otherwise: StrategyName = standard): Promise<StrategyRuns> =>
    runsOf((await runsOf(standard).strategyOf(questionId)) ?? otherwise)

  return {
    start: async (question, options = {}) =>
      (await runsFor(question.id, options.strategy)).start(question, options),
    resume: async (questionId, reply, options) =>
      (await runsFor(questionId)).resume(questionId, reply, options),
    trace: questionId => runsOf(standard).trace(questionId),
  }
}
