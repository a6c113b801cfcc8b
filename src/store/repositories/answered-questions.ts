import { z } from 'zod'
import type { AnsweredQuestion } from '../../core/answered-question.ts'
import type { Tx } from '../../core/tx.ts'
import type { Within } from '../transactions.ts'
import { StoredPlace } from './questions.ts'

const Row = z.object({
  id: z.string(),
  key: z.string(),
  text: z.string(),
  database: z.string(),
  asked_by: z.string().nullable(),
  time_zone: z.string(),
  asked_at: z.date(),
  place: StoredPlace,
  sql: z.string(),
  result_id: z.string(),
  confidence: z.number(),
  headline: z.string(),
  assumptions: z.array(z.string()),
  up: z.coerce.number(),
  down: z.coerce.number(),
})

/** Makes the query that shows an answer again: the question, its place, its answer and its votes, as of one moment. */
export const makeAnsweredQuestions = (within: Within) => ({
  /** Null when the question has no answer, or was asked nowhere that an answer could be shown. */
  find: async (questionId: string, tx?: Tx): Promise<AnsweredQuestion | null> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select question.*, answer.sql, answer.result_id, answer.confidence, answer.headline, answer.assumptions,
              vote.up, vote.down
       from querent.questions question
       join querent.answers answer on answer.question_id = question.id
       cross join lateral (
         select count(*) filter (where vote = 'up') as up, count(*) filter (where vote = 'down') as down
         from querent.votes where votes.question_id = question.id
       ) vote
       where question.id = ? and question.place is not null`,
      [questionId],
    )
    if (rows.length === 0) return null
    const row = Row.parse(rows[0])
    return {
      question: {
        id: row.id,
        key: row.key,
        text: row.text,
        database: row.database,
        askedBy: row.asked_by,
        timeZone: row.time_zone,
        askedAt: row.asked_at,
      },
      place: row.place,
      sql: row.sql,
      resultId: row.result_id,
      confidence: row.confidence,
      headline: row.headline,
      assumptions: row.assumptions,
      votes: { up: row.up, down: row.down },
    }
  },
})
