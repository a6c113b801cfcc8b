import { z } from 'zod'
import type { SlackLocation } from '../../core/place.ts'
import { slackLocationKey } from '../../core/place.ts'
import type { ThreadComment } from '../../core/thread.ts'
import type { Tx } from '../../core/tx.ts'
import { cleanText } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const COMMENTS = 'querent.remarks'

const CommentRow = z.object({ said_by: z.string(), text: z.string(), said_at: z.date() })

/** Makes the queries over what people said to each other in our threads. */
export const makeComments = (within: Within) => ({
  /** Keeps a remark, once. */
  insert: async (place: SlackLocation, { by, text, at }: ThreadComment, tx?: Tx): Promise<void> => {
    await within(tx)(COMMENTS)
      .insert({
        key: cleanText(slackLocationKey(place)),
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
  change: async (place: SlackLocation, { text }: ThreadComment, tx?: Tx): Promise<boolean> =>
    (await within(tx)(COMMENTS)
      .where({ key: cleanText(slackLocationKey(place)) })
      .update({ text: cleanText(text) })) === 1,

  /** The latest remarks of a thread before a moment, oldest first. */
  list: async (
    place: SlackLocation,
    before: Date,
    most: number,
    tx?: Tx,
  ): Promise<readonly ThreadComment[]> => {
    const rows: unknown[] = await within(tx)(COMMENTS)
      .where({ team: place.team, channel: place.channel, thread: place.thread })
      .where('said_at', '<', before)
      .orderBy('said_at', 'desc')
      .limit(most)
    return rows
      .map(raw => {
        const row = CommentRow.parse(raw)
        return { by: row.said_by, text: row.text, at: row.said_at }
      })
      .toReversed()
  },

  /** Forgets a remark that was deleted. False when there is none. */
  remove: async (place: SlackLocation, tx?: Tx): Promise<boolean> =>
    (await within(tx)(COMMENTS)
      .where({ key: cleanText(slackLocationKey(place)) })
      .delete()) > 0,

  purgeBefore: async (time: Date, tx?: Tx): Promise<number> =>
    within(tx)(COMMENTS).where('said_at', '<', time).delete(),
})
