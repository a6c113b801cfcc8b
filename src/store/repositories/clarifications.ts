import { z } from 'zod'
import type { Clarification } from '../../core/clarification.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredOption } from '../stored/clarification.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const CLARIFICATIONS = 'querent.clarifications'

const ClarificationRow = z.object({
  question: z.string(),
  options: z.array(StoredOption),
  default_option: z.number().int(),
})

/** Makes the queries over questions back. A question has at most one. */
export const makeClarifications = (within: Within) => ({
  /** Keeps the question back; asking again after a crash replaces it. */
  upsert: async (questionId: string, clarification: Clarification, tx?: Tx): Promise<void> => {
    await within(tx)(CLARIFICATIONS)
      .insert({
        question_id: questionId,
        question: cleanText(clarification.question),
        options: toJsonb(clarification.options),
        default_option: clarification.defaultOption,
        asked_at: within(tx).fn.now(),
      })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<Clarification | null> => {
    const found: unknown = await within(tx)(CLARIFICATIONS).where({ question_id: questionId }).first()
    if (found === undefined) return null
    const row = ClarificationRow.parse(found)
    return { question: row.question, options: row.options, defaultOption: row.default_option }
  },
})
