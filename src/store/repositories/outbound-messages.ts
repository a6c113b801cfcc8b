import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const OUTBOUND = 'querent.outbound_messages'

/**
 * A message that we post, by the question it belongs to and the step of it. `ts` is the platform's id, null from the
 * claim until the post is known to have worked; left null by a crash in between, it is in doubt whether it was posted.
 */
export interface OutboundMessage {
  readonly questionId: string
  readonly step: string
  readonly channel: string
  readonly payload: unknown
  readonly ts: string | null
  readonly claimedAt: Date
  readonly postedAt: Date | null
}

const OutboundRow = z.object({
  question_id: z.string(),
  step: z.string(),
  channel: z.string(),
  payload: z.unknown(),
  ts: z.string().nullable(),
  claimed_at: z.date(),
  posted_at: z.date().nullable(),
})

const toMessage = (raw: unknown): OutboundMessage => {
  const row = OutboundRow.parse(raw)
  return {
    questionId: row.question_id,
    step: row.step,
    channel: row.channel,
    payload: row.payload,
    ts: row.ts,
    claimedAt: row.claimed_at,
    postedAt: row.posted_at,
  }
}

/** Makes the queries over outbound messages. */
export const makeOutboundMessages = (within: Within) => ({
  /** Claims a message before it is posted. False when it was claimed before: look at it with `find`. */
  claim: async (
    message: Pick<OutboundMessage, 'questionId' | 'step' | 'channel' | 'payload' | 'claimedAt'>,
    tx?: Tx,
  ): Promise<boolean> => {
    const claimed = await within(tx)(OUTBOUND)
      .insert({
        question_id: message.questionId,
        step: message.step,
        channel: message.channel,
        payload: toJsonb(message.payload),
        claimed_at: message.claimedAt,
      })
      .onConflict(['question_id', 'step'])
      .ignore()
      .returning('step')
    return claimed.length === 1
  },

  /** Takes over a claim that is in doubt. False when it was posted, or somebody else took it over, in the meantime. */
  reclaim: async (
    message: Pick<OutboundMessage, 'questionId' | 'step' | 'claimedAt'>,
    now: Date,
    tx?: Tx,
  ): Promise<boolean> => {
    const updated = await within(tx)(OUTBOUND)
      .where({
        question_id: message.questionId,
        step: message.step,
        ts: null,
        claimed_at: message.claimedAt,
      })
      .update({ claimed_at: now })
    return updated === 1
  },

  /** Remembers under which id a claimed message was posted. */
  markPosted: async (questionId: string, step: string, ts: string, tx?: Tx): Promise<boolean> => {
    const updated = await within(tx)(OUTBOUND)
      .where({ question_id: questionId, step })
      .update({ ts: cleanText(ts), posted_at: within(tx).fn.now() })
    return updated === 1
  },

  /** Lets a message that was posted for one question be that of another. False when none is known to be posted. */
  handOver: async (from: string, to: string, step: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(OUTBOUND)
      .where({ question_id: from, step })
      .whereNotNull('ts')
      .update({ question_id: to })) === 1,

  find: async (questionId: string, step: string, tx?: Tx): Promise<OutboundMessage | null> => {
    const row: unknown = await within(tx)(OUTBOUND).where({ question_id: questionId, step }).first()
    return row === undefined ? null : toMessage(row)
  },
})
