import { z } from 'zod'
import type { ClarificationReply } from '../../core/clarification.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredReply } from '../stored/clarification.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const REPLIES = 'querent.replies'

/** The one reply of a question back. `repliedBy` is null when the default was taken because nobody replied. */
export interface StoredReplyRow {
  readonly reply: ClarificationReply
  readonly repliedBy: string | null
  readonly repliedAt: Date
}

const ReplyRow = z.object({ reply: StoredReply, replied_by: z.string().nullable(), replied_at: z.date() })

/** Makes the queries over replies. */
export const makeReplies = (within: Within) => ({
  /** Takes the one reply. False when the question has its reply already, or was never asked back. */
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
