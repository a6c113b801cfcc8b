import { z } from 'zod'
import type { ThreadComment } from '../../domain/conversation.ts'
import { type SlackLocation, slackLocationKey } from '../../domain/message.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const OUTBOUND = 'querent.outbound_messages'

/**
 * A message the bot posts, by its question and step. `ts` is Slack's id. It is null from the claim until the post
 * succeeded; if a crash leaves it null, it is unknown whether the message was posted.
 */
interface OutboundMessage {
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

/** Queries on outbound messages. */
export const makeOutboundMessages = (within: Within) => ({
  /** Claims a message before it is posted. False if it was claimed before; look it up with `find`. */
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

  /** Takes over an unresolved claim. False if it was posted or taken over in the meantime. */
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

  /** Stores the id of a posted message. */
  markPosted: async (questionId: string, step: string, ts: string, tx?: Tx): Promise<boolean> => {
    const updated = await within(tx)(OUTBOUND)
      .where({ question_id: questionId, step })
      .update({ ts: cleanText(ts), posted_at: within(tx).fn.now() })
    return updated === 1
  },

  /** Reassigns a posted message to another question. False if none is known to be posted. */
  handOver: async (from: string, to: string, step: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(OUTBOUND)
      .where({ question_id: from, step })
      .whereNotNull('ts')
      .update({ question_id: to })) === 1,

  find: async (questionId: string, step: string, tx?: Tx): Promise<OutboundMessage | null> => {
    const row: unknown = await within(tx)(OUTBOUND).where({ question_id: questionId, step }).first()
    return row === undefined ? null : toMessage(row)
  },

  remove: async (questionId: string, step: string, tx?: Tx): Promise<void> => {
    await within(tx)(OUTBOUND).where({ question_id: questionId, step }).delete()
  },

  /** The posted messages of a question whose step begins with this. */
  list: async (questionId: string, stepPrefix: string, tx?: Tx): Promise<readonly PostedStep[]> => {
    const rows: unknown[] = await within(tx)(OUTBOUND)
      .where({ question_id: questionId })
      .whereRaw('starts_with(step, ?)', [stepPrefix])
      .whereNotNull('ts')
    return rows.map(toPostedStep)
  },
})

const PostedStep = z.object({ step: z.string(), channel: z.string(), ts: z.string() })

/** A message that was posted, by its step. */
export type PostedStep = z.output<typeof PostedStep>

/** Reads a row as one that was posted. */
export const toPostedStep = (row: unknown): PostedStep => PostedStep.parse(row)

const INBOUND = 'querent.heard_messages'

/** Queries on received messages. */
export const makeInboundMessages = (within: Within) => ({
  /**
   * Claims a received message. False if its key was claimed before; waits for a transaction that is about to claim it.
   */
  claim: async (key: string, tx?: Tx): Promise<boolean> => {
    const claimed = await within(tx)(INBOUND)
      .insert({ key: cleanText(key) })
      .onConflict('key')
      .ignore()
      .returning('key')
    return claimed.length === 1
  },

  /** Whether this key was claimed. */
  has: async (key: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(INBOUND)
      .where({ key: cleanText(key) })
      .first('key')) !== undefined,

  /** Deletes messages from before a time: deliveries are repeated for hours, not for weeks. */
  purgeBefore: async (time: Date, tx?: Tx): Promise<number> =>
    within(tx)(INBOUND).where('heard_at', '<', time).delete(),
})

const COMMENTS = 'querent.remarks'

const CommentRow = z.object({ said_by: z.string(), text: z.string(), said_at: z.date() })

/** Queries on people's comments in the bot's threads. */
export const makeComments = (within: Within) => ({
  /** Stores a comment, once. */
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

  /** Changes the text of a comment. False if this location has none. */
  change: async (place: SlackLocation, { text }: ThreadComment, tx?: Tx): Promise<boolean> =>
    (await within(tx)(COMMENTS)
      .where({ key: cleanText(slackLocationKey(place)) })
      .update({ text: cleanText(text) })) === 1,

  /** The latest comments of a thread before a moment, oldest first. */
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

  /** Removes a deleted comment. False if there is none. */
  remove: async (place: SlackLocation, tx?: Tx): Promise<boolean> =>
    (await within(tx)(COMMENTS)
      .where({ key: cleanText(slackLocationKey(place)) })
      .delete()) > 0,

  purgeBefore: async (time: Date, tx?: Tx): Promise<number> =>
    within(tx)(COMMENTS).where('said_at', '<', time).delete(),
})

const PostRow = z.object({ channel: z.string(), ts: z.string().nullable() })

/**
 * Queries on one log of posts: a message is claimed by its key before it is posted, and its `ts` is stored after.
 * `keyOf` returns the columns of the table's primary key.
 */
export const makePostLog = <Key>(
  within: Within,
  { table, keyOf }: { readonly table: string; readonly keyOf: (key: Key) => Record<string, unknown> },
) => ({
  /** False if it was claimed before. */
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
