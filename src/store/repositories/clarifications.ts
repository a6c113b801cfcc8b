import { z } from 'zod'
import type { Clarification, ClarificationReply } from '../../domain/clarification.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import { StoredOption, StoredReply } from '../stored/outcome.ts'
import type { Within } from '../transactions.ts'

const CLARIFICATIONS = 'querent.clarifications'

const ClarificationRow = z.object({
  question: z.string(),
  options: z.array(StoredOption),
  default_option: z.number().int(),
})

/** Queries on clarifications. A question has at most one. */
export const makeClarifications = (within: Within) => ({
  /** Stores the clarification; asking again after a crash replaces it. */
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

const REPLIES = 'querent.replies'

/** The reply to a clarification. `repliedBy` is null if the default was used because nobody replied. */
interface StoredReplyRow {
  readonly reply: ClarificationReply
  readonly repliedBy: string | null
  readonly repliedAt: Date
}

const ReplyRow = z.object({ reply: StoredReply, replied_by: z.string().nullable(), replied_at: z.date() })

/** Queries on replies. */
export const makeReplies = (within: Within) => ({
  /** Stores the single reply. False if the question already has one, or has no clarification. */
  insert: async (
    questionId: string,
    reply: ClarificationReply,
    repliedBy: string | null,
    tx?: Tx,
  ): Promise<boolean> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `insert into ${REPLIES} (question_id, reply, replied_by)
       select question_id, ?::jsonb, ?::text from querent.clarifications where question_id = ?
       on conflict (question_id) do nothing returning question_id`,
      [toJsonb(reply), repliedBy, questionId],
    )
    return rows.length === 1
  },

  find: async (questionId: string, tx?: Tx): Promise<StoredReplyRow | null> => {
    const found: unknown = await within(tx)(REPLIES).where({ question_id: questionId }).first()
    if (found === undefined) return null
    const row = ReplyRow.parse(found)
    return { reply: row.reply, repliedBy: row.replied_by, repliedAt: row.replied_at }
  },
})
