import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import { cleanText } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const PostRow = z.object({ channel: z.string(), ts: z.string().nullable() })

/**
 * Makes the queries over one log of what was posted: a message is claimed by its key before it is posted, and its `ts`
 * stored after. `keyOf` gives the columns of the table's primary key.
 */
export const makePostLog = <Key>(
  within: Within,
  { table, keyOf }: { readonly table: string; readonly keyOf: (key: Key) => Record<string, unknown> },
) => ({
  /** False when it was claimed before. */
  claim: async (
    message: Key & { readonly channel: string; readonly claimedAt: Date },
    tx?: Tx,
  ): Promise<boolean> => {
    const key = keyOf(message)
    const claimed = await within(tx)(table)
      .insert({ ...key, channel: message.channel, claimed_at: message.claimedAt })
      .onConflict(Object.keys(key))
      .ignore()
      .returning('channel')
    return claimed.length === 1
  },

  find: async (key: Key, tx?: Tx): Promise<z.output<typeof PostRow> | null> => {
    const row: unknown = await within(tx)(table).where(keyOf(key)).first()
    return row === undefined ? null : PostRow.parse(row)
  },

  markPosted: async (
    key: Key,
    { ts, at }: { readonly ts: string; readonly at: Date },
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(table)
      .where(keyOf(key))
      .update({ ts: cleanText(ts), posted_at: at })
  },
})
