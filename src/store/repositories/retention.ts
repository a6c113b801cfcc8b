import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import type { Within } from '../transactions.ts'

const QuestionId = z.object({ id: z.string() })

/** Makes the queries that find and delete what has been kept for long enough. */
export const makeRetention = (within: Within) => ({
  /** Questions, wherever they stand, that have not changed since a time; the oldest first. */
  listQuestions: async (unchangedSince: Date, most: number, tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)('querent.questions')
      .where('updated_at', '<', unchangedSince)
      .orderBy('updated_at')
      .limit(most)
      .select('id')
    return rows.map(row => QuestionId.parse(row).id)
  },

  /** Deletes questions with everything that belongs to them; how many. */
  deleteQuestions: async (ids: readonly string[], tx?: Tx): Promise<number> =>
    within(tx)('querent.questions').whereIn('id', ids).delete(),

  /** Deletes what models cost and what was counted against budgets before a day, `YYYY-MM-DD`; how many entries. */
  deleteUsage: async (before: string, tx?: Tx): Promise<number> => {
    const usage: number = await within(tx)('querent.model_usage').where('day', '<', before).delete()
    return usage + (await within(tx)('querent.budget_usage').where('day', '<', before).delete())
  },

  /** Deletes the record of what was posted of digests before a time; how many messages. */
  deleteDigestMessages: async (before: Date, tx?: Tx): Promise<number> =>
    within(tx)('querent.digest_messages').where('claimed_at', '<', before).delete(),
})
