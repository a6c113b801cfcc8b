import { type BaseCheckpointSaver, Command, isInterrupted } from '@langchain/langgraph'
import type { AnswerReport } from '../../src/core/answer.ts'
import type { AnswerEvent } from '../../src/core/answer-event.ts'
import type { AnswerRunOptions, AnswerRuns } from '../../src/core/answer-runs.ts'
import type { Question } from '../../src/core/question.ts'
import type { AnswerDeps } from './deps.ts'
import { buildAnswerGraph } from './graph.ts'
import type { State } from './state.ts'

/** Makes the answer graph over its dependencies; one LangGraph thread a question (design: life of one question). */
export const makeAnswerRuns = (deps: AnswerDeps, checkpointer: BaseCheckpointSaver): AnswerRuns => {
  const graph = buildAnswerGraph(deps, checkpointer)

  const run = async (
    questionId: string,
    input: Parameters<typeof graph.stream>[0],
    options: AnswerRunOptions,
  ): Promise<AnswerReport> => {
    const config = { configurable: { thread_id: questionId } }
    const stream = await graph.stream(input, {
      ...config,
      streamMode: ['custom', 'values'] as const,
      ...(options.signal ? { signal: options.signal } : {}),
    })
    let last: unknown = null
    for await (const [mode, chunk] of stream as AsyncIterable<[string, unknown]>) {
      if (mode === 'custom') options.onEvent?.(chunk as AnswerEvent)
      else last = chunk
    }
    return report(questionId, last, deps)
  }

  return {
    start: async (question, options = {}) => {
      const known = await graph.getState({ configurable: { thread_id: question.id } })
      const begun = known.next.length > 0
      return run(question.id, begun ? null : { question: asAsked(question) }, options)
    },
    resume: (questionId, reply, options = {}) => run(questionId, new Command({ resume: reply }), options),
  }
}

const asAsked = (question: Question): State['question'] => ({
  id: question.id,
  text: question.text,
  database: question.database,
  askedAt: question.askedAt.toISOString(),
  timeZone: question.timeZone,
})

const report = async (questionId: string, last: unknown, deps: AnswerDeps): Promise<AnswerReport> => {
  const state = last as State
  const candidates = await deps.workbench.loadCandidates(questionId)
  const common = { questionId, candidates, usage: state.usage }
  if (isInterrupted(last) && state.clarification) {
    return { ...common, outcome: { status: 'needs-clarification', clarification: state.clarification } }
  }
  if (!state.outcome) throw new Error(`the run of question ${questionId} ended without an outcome`)
  return { ...common, outcome: state.outcome }
}
