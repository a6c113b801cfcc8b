import { z } from 'zod'
import type { Outcome } from '../../core/answer.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredAlternative } from '../stored/outcome.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const ANSWERS = 'querent.answers'

/** The outcome that answers. */
export type Answered = Extract<Outcome, { status: 'answered' }>

/** The one answer of a question. `resultId` may name a result that has expired. */
export interface StoredAnswer extends Omit<Answered, 'status' | 'cached'> {
  readonly questionId: string
  readonly runId: string
  readonly answeredAt: Date
  /** Before `answeredAt` where the answer of another question is shown again. */
  readonly readAt: Date
}

const AnswerRow = z.object({
  question_id: z.string(),
  run_id: z.string(),
  candidate_id: z.string(),
  result_id: z.string(),
  sql: z.string(),
  confidence: z.number(),
  headline: z.string(),
  assumptions: z.array(z.string()),
  alternatives: z.array(StoredAlternative),
  answered_at: z.date(),
  cached_from: z.string().nullable(),
  read_at: z.date().nullable(),
})

const toAnswer = (raw: unknown): StoredAnswer => {
  const row = AnswerRow.parse(raw)
  return {
    questionId: row.question_id,
    runId: row.run_id,
    candidateId: row.candidate_id,
    resultId: row.result_id,
    sql: row.sql,
    confidence: row.confidence,
    headline: row.headline,
    assumptions: row.assumptions,
    ...(row.alternatives.length > 0 ? { alternatives: row.alternatives } : {}),
    answeredAt: row.answered_at,
    readAt: row.read_at ?? row.answered_at,
  }
}

/** Makes the queries over answers. */
export const makeAnswers = (within: Within) => ({
  /** Keeps the answer of a question; a later run of the same question replaces it. */
  upsert: async (questionId: string, runId: string, answer: Answered, tx?: Tx): Promise<void> => {
    await within(tx)(ANSWERS)
      .insert({
        question_id: questionId,
        run_id: runId,
        candidate_id: answer.candidateId,
        result_id: answer.resultId,
        sql: cleanText(answer.sql),
        confidence: answer.confidence,
        headline: cleanText(answer.headline),
        assumptions: toJsonb(answer.assumptions),
        alternatives: toJsonb(answer.alternatives ?? []),
        answered_at: within(tx).fn.now(),
        // Its question may have been deleted in between.
        cached_from: within(tx).raw('(select id from querent.questions where id = ?)', [
          answer.cached?.from ?? null,
        ]),
        read_at: answer.cached?.readAt ?? null,
      })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<StoredAnswer | null> => {
    const row: unknown = await within(tx)(ANSWERS).where({ question_id: questionId }).first()
    return row === undefined ? null : toAnswer(row)
  },
})
