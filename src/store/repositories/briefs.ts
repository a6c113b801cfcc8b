import { z } from 'zod'
import type { Brief } from '../../core/brief.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredBrief } from '../stored/brief.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.briefs'

/** Makes the queries over briefs: what the drafting paths of a question are told. */
export const makeBriefs = (within: Within) => ({
  /** Puts the brief of a question down, over an earlier one. */
  upsert: async (questionId: string, brief: Brief, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE)
      .insert({ question_id: questionId, brief: toJsonb(brief), updated_at: within(tx).fn.now() })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<Brief | null> => {
    const row: unknown = await within(tx)(TABLE).where({ question_id: questionId }).first('brief')
    return row === undefined ? null : z.object({ brief: StoredBrief }).parse(row).brief
  },
})
