import { z } from 'zod'
import type { Place } from '../../core/place.ts'
import type { Question, QuestionStatus } from '../../core/question.ts'
import type { Tx } from '../../core/tx.ts'
import { literals } from '../stored/literals.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.questions'

/** A question as stored: as asked, where it was asked, and where it stands. */
export interface StoredQuestion extends Question {
  readonly status: QuestionStatus
  readonly place: Place | null
  readonly updatedAt: Date
  /** Who stopped it; null where nobody did. */
  readonly stoppedBy: string | null
}

const StoredStatus = literals<QuestionStatus>({
  queued: true,
  working: true,
  waiting: true,
  stopping: true,
  answered: true,
  refused: true,
  failed: true,
  stopped: true,
})

const StoredPlace: z.ZodType<Place> = z.looseObject({
  team: z.string(),
  channel: z.string(),
  thread: z.string(),
  message: z.string(),
})

const Row = z.object({
  id: z.string(),
  key: z.string(),
  text: z.string(),
  database: z.string(),
  status: StoredStatus,
  asked_by: z.string().nullable(),
  time_zone: z.string(),
  asked_at: z.date(),
  place: StoredPlace.nullable(),
  updated_at: z.date(),
  stopped_by: z.string().nullable(),
  follows: z.string().nullable(),
  fresh: z.boolean(),
  run_by: z.string().nullable(),
})

const Was = z.object({ was: StoredStatus })
const Id = z.object({ id: z.string() })

const Counts = z.object({
  answered: z.coerce.number(),
  refused: z.coerce.number(),
  failed: z.coerce.number(),
})

const toQuestion = (raw: unknown): StoredQuestion => {
  const row = Row.parse(raw)
  return {
    id: row.id,
    key: row.key,
    text: row.text,
    database: row.database,
    status: row.status,
    askedBy: row.asked_by,
    timeZone: row.time_zone,
    askedAt: row.asked_at,
    place: row.place,
    updatedAt: row.updated_at,
    stoppedBy: row.stopped_by,
    ...(row.follows !== null && { follows: row.follows }),
    ...(row.fresh && { fresh: true }),
    ...(row.run_by !== null && { runBy: row.run_by }),
  }
}

/** Written as the index over threads is. */
const IN_THREAD = `place ->> 'team' = ? and place ->> 'channel' = ? and place ->> 'thread' = ?`
/** Written as the index over messages is. */
const IN_MESSAGE = `place ->> 'team' = ? and place ->> 'channel' = ? and place ->> 'message' = ?`
const threadOf = (place: Place): string[] => [place.team, place.channel, place.thread]

/** Makes the queries over questions. */
export const makeQuestions = (within: Within) => ({
  /** Stores a question as `queued`. False when one of this key is there already: then nothing happens. */
  insert: async (question: Question, place: Place | null, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(TABLE)
      .insert({
        id: question.id,
        key: cleanText(question.key),
        text: cleanText(question.text),
        database: question.database,
        asked_by: question.askedBy,
        time_zone: question.timeZone,
        asked_at: question.askedAt,
        place: place && toJsonb(place),
        follows: question.follows ?? null,
        fresh: question.fresh ?? false,
        run_by: question.runBy ?? null,
      })
      .onConflict('key')
      .ignore()
      .returning('id')
    return inserted.length === 1
  },

  /** The workspace that a person asked in last; null for somebody who never did. */
  lastTeamOf: async (person: string): Promise<string | null> => {
    const row: unknown = await within()(TABLE)
      .where({ asked_by: person })
      .whereNotNull('place')
      .orderBy('asked_at', 'desc')
      .first()
    return row === undefined ? null : (Row.parse(row).place?.team ?? null)
  },

  find: async (id: string, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE).where({ id }).first()
    return row === undefined ? null : toQuestion(row)
  },

  findByKey: async (key: string, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE).where({ key }).first()
    return row === undefined ? null : toQuestion(row)
  },

  /** The latest answered questions of a question's thread before it, oldest first; without those that were taken back. */
  listAnsweredBefore: async (
    question: StoredQuestion,
    most: number,
    tx?: Tx,
  ): Promise<readonly StoredQuestion[]> => {
    if (!question.place) return []
    const rows: unknown[] = await within(tx)(TABLE)
      .whereRaw(IN_THREAD, threadOf(question.place))
      .where({ status: 'answered' })
      .whereNull('withdrawn_at')
      .whereNot({ id: question.id })
      // Two messages of one moment are told apart by their ids, which are in the order of posting.
      .whereRaw("(asked_at, place ->> 'message') < (?, ?)", [question.askedAt, question.place.message])
      .orderByRaw("asked_at desc, place ->> 'message' desc")
      .limit(most)
    return rows.map(toQuestion).toReversed()
  },

  /** The questions that a question says it follows, one after the other, oldest first. */
  listFollowed: async (id: string, most: number, tx?: Tx): Promise<readonly StoredQuestion[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `with recursive followed as (
         select follows as id, 1 as steps from ${TABLE} where id = ?
         union all
         select question.follows, steps + 1 from ${TABLE} as question join followed on question.id = followed.id
         where steps < ?)
       select question.* from followed join ${TABLE} as question on question.id = followed.id
       where question.withdrawn_at is null order by steps desc`,
      [id, most],
    )
    return rows.map(toQuestion)
  },

  /** The question that a message was taken for last and that was not taken back; null when there is none. */
  findByMessage: async (place: Place, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw(IN_MESSAGE, [place.team, place.channel, place.message])
      .whereNull('withdrawn_at')
      .orderBy('created_at', 'desc')
      .first()
    return row === undefined ? null : toQuestion(row)
  },

  /** Takes a question back: its message was edited into another, or deleted. False when it was taken back before. */
  withdraw: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE)
      .where({ id })
      .whereNull('withdrawn_at')
      .update({ withdrawn_at: within(tx).fn.now() })) === 1,

  isWithdrawn: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ id }).whereNotNull('withdrawn_at').first('id')) !== undefined,

  /** Whether a question of this thread was answered, or one of this person waits there for a reply. */
  isInOurThread: async (place: Place, askedBy: string, tx?: Tx): Promise<boolean> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw(IN_THREAD, threadOf(place))
      .whereNull('withdrawn_at')
      .where(ours => ours.where({ status: 'answered' }).orWhere({ status: 'waiting', asked_by: askedBy }))
      .first('id')
    return row !== undefined
  },

  /** Whether a question of this thread is being worked on, or about to be. */
  isBeingAnswered: async (place: Place, tx?: Tx): Promise<boolean> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw(IN_THREAD, threadOf(place))
      .whereIn('status', ['queued', 'working'])
      .whereNull('withdrawn_at')
      .first('id')
    return row !== undefined
  },

  /** The last answered question of a person in a channel that began a thread, from `since` until `before`. */
  findLastAlone: async (
    place: Place,
    askedBy: string,
    { since, before }: { readonly since: Date; readonly before: Date },
    tx?: Tx,
  ): Promise<string | null> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw("place ->> 'team' = ? and place ->> 'channel' = ?", [place.team, place.channel])
      .whereRaw("place ->> 'thread' = place ->> 'message'")
      .where({ status: 'answered', asked_by: askedBy })
      .whereNull('withdrawn_at')
      .where('asked_at', '>=', since)
      // Two messages of one moment are told apart by their ids, which are in the order of posting.
      .whereRaw("(asked_at, place ->> 'message') < (?, ?)", [before, place.message])
      .orderByRaw("asked_at desc, place ->> 'message' desc")
      .first('id')
    return row === undefined ? null : Id.parse(row).id
  },

  /** The question of this person in this thread that waits for a reply, the last one asked if there are several. */
  findWaiting: async (place: Place, askedBy: string, tx?: Tx): Promise<string | null> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw(IN_THREAD, threadOf(place))
      .where({ status: 'waiting', asked_by: askedBy })
      .orderBy('asked_at', 'desc')
      .first('id')
    return row === undefined ? null : z.object({ id: z.string() }).parse(row).id
  },

  /** Marks where a question stands, wherever it stood. False when there is none of this id. */
  setStatus: async (id: string, status: QuestionStatus, tx?: Tx): Promise<boolean> => {
    const updated = await within(tx)(TABLE)
      .where({ id })
      .update({ status, updated_at: within(tx).fn.now() })
    return updated === 1
  },

  /** Moves a question on from one of some states, and returns it; null when it stands elsewhere. Of two callers, one wins. */
  move: async (
    id: string,
    from: readonly QuestionStatus[],
    to: QuestionStatus,
    tx?: Tx,
  ): Promise<StoredQuestion | null> => {
    const [row] = await within(tx)(TABLE)
      .where({ id })
      .whereIn('status', [...from])
      .update({ status: to, updated_at: within(tx).fn.now() })
      .returning('*')
    return row === undefined ? null : toQuestion(row)
  },

  /** The same, of a question whose question back has no reply yet: with one, its job goes on. */
  moveUnlessReplied: async (
    id: string,
    from: readonly QuestionStatus[],
    to: QuestionStatus,
    tx?: Tx,
  ): Promise<StoredQuestion | null> => {
    const [row] = await within(tx)(TABLE)
      .where({ id })
      .whereIn('status', [...from])
      .whereNotExists(within(tx)('querent.replies').where({ question_id: id }).select('question_id'))
      .update({ status: to, updated_at: within(tx).fn.now() })
      .returning('*')
    return row === undefined ? null : toQuestion(row)
  },

  /**
   * Marks a question that is not at its end as `stopping`, and by whom. Returns where it stood; null when it had ended,
   * or was being stopped, already. Of a stop and an end at once, one wins.
   */
  stop: async (id: string, by: string | null, tx?: Tx): Promise<QuestionStatus | null> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `update ${TABLE} as question set status = 'stopping', stopped_by = ?, updated_at = now()
       from (select id, status from ${TABLE} where id = ? for update) as before
       where question.id = before.id and before.status in ('queued', 'working', 'waiting')
       returning before.status as was`,
      [by, id],
    )
    return rows[0] === undefined ? null : Was.parse(rows[0]).was
  },

  /** Which of some questions are being stopped. */
  listStopping: async (ids: readonly string[], tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereIn('id', [...ids])
      .whereIn('status', ['stopping', 'stopped'])
      .select('id')
    return rows.map(row => Id.parse(row).id)
  },

  /** Questions that ended before a time and were not forgotten since, the oldest first. */
  listToForget: async (before: Date, most: number, tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereNull('forgotten_at')
      .whereIn('status', ['answered', 'refused', 'failed', 'stopped'])
      .where('updated_at', '<', before)
      .orderBy('updated_at')
      .limit(most)
      .select('id')
    return rows.map(row => Id.parse(row).id)
  },

  /** Notes that what was kept only to work on a question is gone. */
  markForgotten: async (id: string, at: Date, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE).where({ id }).update({ forgotten_at: at })
  },

  /** How many questions came to which end. */
  countEnded: async (tx?: Tx): Promise<z.infer<typeof Counts>> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select count(*) filter (where status = 'answered') as answered,
              count(*) filter (where status = 'refused') as refused,
              count(*) filter (where status = 'failed') as failed
       from ${TABLE}`,
    )
    return Counts.parse(rows[0])
  },

  /** Deletes a question with everything that belongs to it. */
  remove: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ id }).delete()) === 1,
})
