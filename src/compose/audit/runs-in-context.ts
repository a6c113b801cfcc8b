import type { CheckQuota } from '../../app/questions/check-reading.ts'
import type { AnswerReport } from '../../core/answer.ts'
import type { AnswerRuns } from '../../core/answer-runs.ts'
import type { InRunContext, RunContext } from '../../core/run-context.ts'
import { SqlError } from '../../core/sql-error.ts'
import { noModelUsage } from '../../core/usage.ts'

/**
 * Runs the graph in the context of the question, so that what it reads is booked on whoever asked. Where nothing more may
 * be read for them, the question is refused before a model is asked in vain.
 */
export const withRunContext = (
  runs: AnswerRuns,
  deps: {
    readonly inRunContext: InRunContext
    readonly contextOf: (questionId: string) => Promise<RunContext>
    readonly checkReading: CheckQuota
  },
): AnswerRuns => {
  const within = async (questionId: string, run: () => Promise<AnswerReport>): Promise<AnswerReport> => {
    const context = await deps.contextOf(questionId)
    try {
      await deps.checkReading(context)
    } catch (error) {
      if (error instanceof SqlError && error.errorClass === 'over-budget')
        return overBudget(questionId, error.message)
      throw error
    }
    return deps.inRunContext(context, run)
  }
  return {
    start: (question, options) => within(question.id, () => runs.start(question, options)),
    resume: (questionId, reply, options) => within(questionId, () => runs.resume(questionId, reply, options)),
    trace: questionId => runs.trace(questionId),
  }
}

const overBudget = (questionId: string, reason: string): AnswerReport => ({
  questionId,
  outcome: {
    status: 'refused',
    reason,
    nextStep: 'Ask for less, or when there is more again, or ask an admin to raise the limit.',
  },
  candidates: [],
  usage: noModelUsage,
})
