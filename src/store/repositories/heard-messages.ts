import type { Tx } from '../../core/tx.ts'
import { cleanText } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const INBOUND = 'querent.heard_messages'

/** Makes the queries over messages that were taken in. */
export const makeInboundMessages = (within: Within) => ({
  /** Takes a message in. False when one of this key was taken in before; waits for a transaction that is about to. */
  claim: async (key: string, tx?: Tx): Promise<boolean> => {
    const claimed = await within(tx)(INBOUND)
      .insert({ key: cleanText(key) })
      .onConflict('key')
      .ignore()
      .returning('key')
    return claimed.length === 1
  },

  /** Whether one of this key was taken in. */
  has: async (key: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(INBOUND)
      .where({ key: cleanText(key) })
      .first('key')) !== undefined,

  /** Forgets messages from before a time: deliveries are repeated for hours, not for weeks. */
  purgeBefore: async (time: Date, tx?: Tx): Promise<number> =>
    within(tx)(INBOUND).where('heard_at', '<', time).delete(),
})
