import { z } from 'zod'
import type { AnswerRevision } from '../../core/answer-revision.ts'
import type { Tx } from '../../core/tx.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const REVISIONS = 'querent.answer_revisions'

const RevisionRow = z.object({
  question_id: z.string(),
  kind: z.enum(['edited', 'picked', 'fixed']),
  person: z.string(),
  candidate_id: z.string().nullable(),
  sql: z.string(),
  result_id: z.string(),
  headline: z.string(),
  assumptions: z.array(z.string()),
  made_at: z.date(),
})

/** Makes the queries over changed answers. */
export const makeAnswerRevisions = (within: Within) => ({
  /** Keeps a change. False when it came from a submission that changed the answer before. */
  insert: async (revision: AnswerRevision, request: string, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(REVISIONS)
      .insert({
        question_id: revision.questionId,
        request: cleanText(request),
        kind: revision.kind,
        person: revision.person,
        candidate_id: revision.candidateId,
        sql: cleanText(revision.sql),
        result_id: revision.resultId,
        headline: cleanText(revision.headline),
        assumptions: toJsonb(revision.assumptions),
        made_at: revision.madeAt,
      })
      .onConflict(['question_id', 'request'])
      .ignore()
      .returning('id')
    return inserted.length === 1
  },

  /** The changes of an answer, oldest first: the last one stands. */
  list: async (questionId: string, tx?: Tx): Promise<readonly AnswerRevision[]> => {
    const rows: unknown[] = await within(tx)(REVISIONS).where({ question_id: questionId }).orderBy('id')
    return rows.map(toRevision)
  },

  /** The change that came from a submission; null where it changed nothing. */
  findByRequest: async (questionId: string, request: string, tx?: Tx): Promise<AnswerRevision | null> => {
    const row: unknown = await within(tx)(REVISIONS)
      .where({ question_id: questionId, request: cleanText(request) })
      .first()
    return row === undefined ? null : toRevision(row)
  },

  /** The change that stands; null while the answer is as it was first given. */
  last: async (questionId: string, tx?: Tx): Promise<AnswerRevision | null> => {
    const row: unknown = await within(tx)(REVISIONS)
      .where({ question_id: questionId })
      .orderBy('id', 'desc')
      .first()
    return row === undefined ? null : toRevision(row)
  },
})

const toRevision = (raw: unknown): AnswerRevision => {
  const row = RevisionRow.parse(raw)
  return {
    questionId: row.question_id,
    kind: row.kind,
    person: row.person,
    candidateId: row.candidate_id,
    sql: row.sql,
    resultId: row.result_id,
    headline: row.headline,
    assumptions: row.assumptions,
    madeAt: row.made_at,
  }
}
