import { z } from 'zod'
import type { Place } from '../../core/place.ts'
import { placeKey } from '../../core/place.ts'
import type { Remark } from '../../core/thread.ts'
import type { Tx } from '../../core/tx.ts'
import { cleanText } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.remarks'

const Row = z.object({ said_by: z.string(), text: z.string(), said_at: z.date() })

/** Makes the queries over what people said to each other in our threads. */
export const makeRemarks = (within: Within) => ({
  /** Keeps a remark, once. */
  insert: async (place: Place, { by, text, at }: Remark, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE)
      .insert({
        key: cleanText(placeKey(place)),
        team: place.team,
        channel: place.channel,
        thread: place.thread,
        said_by: by,
        text: cleanText(text),
        said_at: at,
      })
      .onConflict('key')
      .ignore()
  },

  /** Changes the words of a remark. False when there is none of this place. */
  change: async (place: Place, { text }: Remark, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE)
      .where({ key: cleanText(placeKey(place)) })
      .update({ text: cleanText(text) })) === 1,

  /** The latest remarks of a thread before a moment, oldest first. */
  list: async (place: Place, before: Date, most: number, tx?: Tx): Promise<readonly Remark[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .where({ team: place.team, channel: place.channel, thread: place.thread })
      .where('said_at', '<', before)
      .orderBy('said_at', 'desc')
      .limit(most)
    return rows
      .map(raw => {
        const row = Row.parse(raw)
        return { by: row.said_by, text: row.text, at: row.said_at }
      })
      .toReversed()
  },

  /** Forgets a remark that was deleted. False when there is none. */
  remove: async (place: Place, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE)
      .where({ key: cleanText(placeKey(place)) })
      .delete()) > 0,

  purgeBefore: async (time: Date, tx?: Tx): Promise<number> =>
    within(tx)(TABLE).where('said_at', '<', time).delete(),
})
