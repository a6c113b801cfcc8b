import { z } from 'zod'
import type { ReviewDecision, ReviewRequest } from '../../domain/feedback.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { isUuid } from '../../lib/uuid.ts'
import { cleanText } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.human_requests'

const Row = z.object({
  question_id: z.string(),
  channel: z.string(),
  sql: z.string(),
  result_id: z.string(),
  headline: z.string(),
  asked_by: z.string(),
  asked_at: z.date(),
  decision: z.enum(['approved', 'fixed', 'rejected']).nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.date().nullable(),
  reason: z.string().nullable(),
})

/** Queries on review requests. */
export const makeReviewRequests = (within: Within) => ({
  /** Stores a request. False if the question has one. */
  insert: async (request: Omit<ReviewRequest, 'decided'>, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(TABLE)
      .insert({
        question_id: request.questionId,
        channel: request.channel,
        sql: cleanText(request.sql),
        result_id: request.resultId,
        headline: cleanText(request.headline),
        asked_by: request.askedBy,
        asked_at: request.askedAt,
      })
      .onConflict('question_id')
      .ignore()
      .returning('question_id')
    return inserted.length === 1
  },

  find: async (questionId: string, tx?: Tx): Promise<ReviewRequest | null> => {
    if (!isUuid(questionId)) return null
    const found: unknown = await within(tx)(TABLE).where({ question_id: questionId }).first()
    return found === undefined ? null : toRequest(found)
  },

  /** Removes an undecided request. */
  remove: async (questionId: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ question_id: questionId, decision: null }).delete()) === 1,

  /** Stores a decision. False if there was one: the first of two people decides. */
  decide: async (
    questionId: string,
    decided: {
      readonly decision: ReviewDecision
      readonly by: string
      readonly at: Date
      readonly reason: string | null
    },
    tx?: Tx,
  ): Promise<boolean> => {
    const updated = await within(tx)(TABLE)
      .where({ question_id: questionId, decision: null })
      .update({
        decision: decided.decision,
        decided_by: decided.by,
        decided_at: decided.at,
        reason: decided.reason === null ? null : cleanText(decided.reason),
      })
    return updated === 1
  },
})

const toRequest = (raw: unknown): ReviewRequest => {
  const row = Row.parse(raw)
  const { decision, decided_by: by, decided_at: at, reason } = row
  return {
    questionId: row.question_id,
    channel: row.channel,
    sql: row.sql,
    resultId: row.result_id,
    headline: row.headline,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    decided: decision !== null && by !== null && at !== null ? { decision, by, at, reason } : null,
  }
}
