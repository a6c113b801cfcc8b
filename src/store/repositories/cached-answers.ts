import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import type { Within } from '../transactions.ts'

const CopiedRow = z.object({ id: z.string() })
const FoundAnswer = z.object({ question_id: z.string(), candidate_id: z.string() })

/** Makes the queries over answers that are shown again. */
export const makeCachedAnswers = (within: Within) => ({
  /**
   * Whether an answer may be shown again: its question stands answered and was not taken back, and nobody has found
   * the answer wrong, changed it or rejected it, there or where it was shown again before.
   */
  mayBeShownAgain: async (questionId: string, tx?: Tx): Promise<boolean> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `with shown as (
         select question_id from querent.answers where question_id = :id or cached_from = :id)
       select 1 from querent.questions as question
        where question.id = :id and question.status = 'answered' and question.withdrawn_at is null
          and exists (select 1 from querent.answers where question_id = :id and cached_from is null)
          and not exists (select 1 from querent.votes join shown using (question_id) where vote = 'down')
          and not exists (select 1 from querent.answer_revisions join shown using (question_id))
          and not exists (
            select 1 from querent.human_requests join shown using (question_id)
             where decision in ('rejected', 'fixed'))`,
      { id: questionId },
    )
    return rows.length === 1
  },

  /** The question whose answer was shown again for this one; null where it was answered itself. */
  sourceOf: async (questionId: string, tx?: Tx): Promise<string | null> => {
    const row: unknown = await within(tx)('querent.answers')
      .where({ question_id: questionId })
      .whereNotNull('cached_from')
      .first('cached_from as question_id', 'candidate_id')
    return row === undefined ? null : FoundAnswer.parse(row).question_id
  },

  /** Copies a result for another question, with the same end. False when it has expired by `now`. */
  copyResult: async (
    { from, to, questionId }: { readonly from: string; readonly to: string; readonly questionId: string },
    now: Date,
    tx?: Tx,
  ): Promise<boolean> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `insert into querent.saved_results
         (id, question_id, canonical_hash, columns, head, body, body_row_count, row_count, truncated, milliseconds,
          expires_at)
       select :to, :questionId, canonical_hash, columns, head, body, body_row_count, row_count, truncated,
              milliseconds, expires_at
         from querent.saved_results where id = :from and expires_at > :now
       returning id`,
      { from, to, questionId, now },
    )
    return rows.map(row => CopiedRow.parse(row)).length === 1
  },
})
