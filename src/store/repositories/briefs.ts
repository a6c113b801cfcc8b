import { z } from 'zod'
import type { QuestionContext } from '../../core/brief.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredQuestionContext } from '../stored/brief.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const CONTEXTS = 'querent.briefs'

/** Makes the queries over briefs: what the drafting paths of a question are told. */
export const makeQuestionContexts = (within: Within) => ({
  /** Puts the brief of a question down, over an earlier one. */
  upsert: async (questionId: string, brief: QuestionContext, tx?: Tx): Promise<void> => {
    await within(tx)(CONTEXTS)
      .insert({ question_id: questionId, brief: toJsonb(brief), updated_at: within(tx).fn.now() })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<QuestionContext | null> => {
    const row: unknown = await within(tx)(CONTEXTS).where({ question_id: questionId }).first('brief')
    return row === undefined ? null : z.object({ brief: StoredQuestionContext }).parse(row).brief
  },
})
