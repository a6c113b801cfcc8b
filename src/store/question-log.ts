import { randomUUID } from 'node:crypto'
import type { Outcome } from '../core/answer.ts'
import { QuerentError } from '../core/errors.ts'
import type { QuestionStatus } from '../core/question.ts'
import type { QuestionLog } from '../core/question-log.ts'
import type { InTransaction } from '../core/tx.ts'
import type { Repositories } from './repositories/make-repositories.ts'

/** Where an outcome leaves its question. */
const statusAfter: Readonly<Record<Outcome['status'], QuestionStatus>> = {
  answered: 'answered',
  'needs-clarification': 'waiting',
  refused: 'refused',
  failed: 'failed',
}

/**
 * Makes the log of questions over the store. Going to `working` opens a run; a report closes it. A run that is still
 * open when the next begins belonged to a process that died, and is marked `abandoned`.
 */
export const makeQuestionLog = (
  repositories: Repositories,
  inTransaction: InTransaction,
  { traceExpiry }: { readonly traceExpiry: () => Date },
): QuestionLog => {
  const { questions, runs, candidates, answers, clarifications, traces } = repositories
  return {
    setStatus: (questionId, status) =>
      inTransaction(async tx => {
        const known = await questions.setStatus(questionId, status, tx)
        if (!known) throw unknownQuestion(questionId)
        await runs.abandon(questionId, tx)
        if (status === 'working') await runs.begin(randomUUID(), questionId, tx)
      }),

    keepReport: ({ questionId, outcome, candidates: tried, usage, trace }) =>
      inTransaction(async tx => {
        const known = await questions.setStatus(questionId, statusAfter[outcome.status], tx)
        if (!known) throw unknownQuestion(questionId)
        let runId = await runs.finish(questionId, outcome, usage, tx)
        if (runId === null) {
          await runs.begin(randomUUID(), questionId, tx)
          runId = await runs.finish(questionId, outcome, usage, tx)
        }
        if (runId === null) throw new QuerentError('internal', `question ${questionId} has no run to finish`)
        await candidates.upsert(questionId, tried, tx)
        if (trace) await traces.upsert(trace, traceExpiry(), tx)
        if (outcome.status === 'answered') await answers.upsert(questionId, runId, outcome, tx)
        if (outcome.status === 'needs-clarification') {
          await clarifications.upsert(questionId, outcome.clarification, tx)
        }
      }),

    load: async questionId => {
      const found = await questions.find(questionId)
      if (!found) return null
      const { status: _, place: __, updatedAt: ___, ...question } = found
      return question
    },
  }
}

const unknownQuestion = (questionId: string): QuerentError =>
  new QuerentError('internal', `there is no question ${questionId} in the store; insert it first`)
