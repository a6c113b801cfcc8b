import { z } from 'zod'
import type { ExpertRecord } from '../../core/selector-version.ts'
import type { Tx } from '../../core/tx.ts'
import { cleanText } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const WEIGHTS = 'querent.expert_weights'

const WeightRow: z.ZodType<ExpertRecord> = z.object({
  expert: z.string(),
  weight: z.number(),
  mistakes: z.number().int(),
  rounds: z.number().int(),
})

/** Makes the queries over what lineages weigh by people's feedback. */
export const makeExpertWeights = (within: Within) => ({
  /** Puts these in the place of all that were there. */
  replace: async (records: readonly ExpertRecord[], tx: Tx): Promise<void> => {
    await within(tx)(WEIGHTS).delete()
    if (records.length === 0) return
    await within(tx)(WEIGHTS).insert(records.map(record => ({ ...record, expert: cleanText(record.expert) })))
  },

  /** The heaviest first. */
  list: async (tx?: Tx): Promise<readonly ExpertRecord[]> => {
    const rows: unknown[] = await within(tx)(WEIGHTS)
      .orderBy('weight', 'desc')
      .orderByRaw('expert collate "C"')
    return rows.map(row => WeightRow.parse(row))
  },
})
