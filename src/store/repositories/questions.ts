import { z } from 'zod'
import type { SlackLocation } from '../../domain/message.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { Question } from '../../domain/question.ts'
import { isUuid } from '../../lib/uuid.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import { type StoredQuestion, toQuestion } from '../stored/question.ts'
import type { Within } from '../transactions.ts'
import { makeQuestionStatuses } from './question-statuses.ts'

const TABLE = 'querent.questions'

const AnsweredIn = z.object({ id: z.string(), database: z.string() })

const Id = z.object({ id: z.string() })

/** Written like the index on messages. */
const MESSAGE_MATCHES = `place ->> 'team' = ? and place ->> 'channel' = ? and place ->> 'message' = ?`

/** Queries on questions. */
export const makeQuestions = (within: Within) => ({
  ...makeQuestionsInThreads(within),
  ...makeQuestionStatuses(within),

  /** Stores a question as `queued`. False if its key exists; then nothing happens. */
  insert: async (question: Question, place: SlackLocation | null, tx?: Tx): Promise<boolean> => {
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

  /** The workspace a person last asked in; null if they never asked. */
  lastTeamOf: async (person: string): Promise<string | null> => {
    const row: unknown = await within()(TABLE)
      .where({ asked_by: person })
      .whereNotNull('place')
      .orderBy('asked_at', 'desc')
      .first()
    return row === undefined ? null : (toQuestion(row).place?.team ?? null)
  },

  find: async (id: string, tx?: Tx): Promise<StoredQuestion | null> => {
    if (!isUuid(id)) return null
    const row: unknown = await within(tx)(TABLE).where({ id }).first()
    return row === undefined ? null : toQuestion(row)
  },

  findByKey: async (key: string, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE).where({ key }).first()
    return row === undefined ? null : toQuestion(row)
  },

  /** Answered questions of a channel by id, after one, with the databases that were read for them. */
  listAnsweredIn: async (
    { team, channel }: { readonly team: string; readonly channel: string },
    { after, most }: { readonly after: string | null; readonly most: number },
    tx?: Tx,
  ): Promise<readonly { readonly id: string; readonly database: string }[]> => {
    const select = within(tx)(TABLE)
      .whereRaw("place ->> 'team' = ? and place ->> 'channel' = ?", [team, channel])
      .where({ status: 'answered' })
      .orderBy('id')
      .limit(most)
      .select('id', 'database')
    const rows: unknown[] = await (after === null ? select : select.where('id', '>', after))
    return rows.map(row => AnsweredIn.parse(row))
  },

  /** The latest question of a message that was not withdrawn; null if there is none. */
  findByMessage: async (place: SlackLocation, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw(MESSAGE_MATCHES, [place.team, place.channel, place.message])
      .whereNull('withdrawn_at')
      .orderBy('created_at', 'desc')
      .first()
    return row === undefined ? null : toQuestion(row)
  },

  /** Withdraws a question whose message was edited or deleted. False if it was withdrawn before. */
  withdraw: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE)
      .where({ id })
      .whereNull('withdrawn_at')
      .update({ withdrawn_at: within(tx).fn.now() })) === 1,

  /** Reinstates a withdrawn question. */
  reinstate: async (id: string, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE).where({ id }).update({ withdrawn_at: null })
  },

  isWithdrawn: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ id }).whereNotNull('withdrawn_at').first('id')) !== undefined,

  /** Questions that ended before a time and whose working data still exists, oldest first. */
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

  /** Records that the working data of a question was deleted. */
  markForgotten: async (id: string, at: Date, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE).where({ id }).update({ forgotten_at: at })
  },

  /** Deletes a question with everything that belongs to it. */
  remove: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ id }).delete()) === 1,
})

const QUESTIONS = 'querent.questions'

const QuestionId = z.object({ id: z.string() })

/** Written like the index on threads. */
const THREAD_MATCHES = `place ->> 'team' = ? and place ->> 'channel' = ? and place ->> 'thread' = ?`

const threadOf = (place: SlackLocation): string[] => [place.team, place.channel, place.thread]

/** Queries on questions by thread or by what they follow. */
const makeQuestionsInThreads = (within: Within) => ({
  /** The latest answered questions of a thread before a question, oldest first, without withdrawn ones. */
  listAnsweredBefore: async (
    question: StoredQuestion,
    most: number,
    tx?: Tx,
  ): Promise<readonly StoredQuestion[]> => {
    if (!question.place) return []
    const rows: unknown[] = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(question.place))
      .where({ status: 'answered' })
      .whereNull('withdrawn_at')
      .whereNot({ id: question.id })
      // Messages of the same moment are ordered by id, which follows the order of posting.
      .whereRaw("(asked_at, place ->> 'message') < (?, ?)", [question.askedAt, question.place.message])
      .orderByRaw("asked_at desc, place ->> 'message' desc")
      .limit(most)
    return rows.map(toQuestion).toReversed()
  },

  /** The chain of questions that a question follows, oldest first. */
  listFollowed: async (id: string, most: number, tx?: Tx): Promise<readonly StoredQuestion[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `with recursive followed as (
         select follows as id, 1 as steps from ${QUESTIONS} where id = ?
         union all
         select question.follows, steps + 1 from ${QUESTIONS} as question join followed on question.id = followed.id
         where steps < ?)
       select question.* from followed join ${QUESTIONS} as question on question.id = followed.id
       where question.withdrawn_at is null order by steps desc`,
      [id, most],
    )
    return rows.map(toQuestion)
  },

  /** Whether a question of this thread was answered, or one of this person's waits there for a reply. */
  isInOurThread: async (place: SlackLocation, askedBy: string, tx?: Tx): Promise<boolean> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(place))
      .whereNull('withdrawn_at')
      .where(ours => ours.where({ status: 'answered' }).orWhere({ status: 'waiting', asked_by: askedBy }))
      .first('id')
    return row !== undefined
  },

  /** Whether a question of this thread is running, or about to. */
  isBeingAnswered: async (place: SlackLocation, tx?: Tx): Promise<boolean> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(place))
      .whereIn('status', ['queued', 'working'])
      .whereNull('withdrawn_at')
      .first('id')
    return row !== undefined
  },

  /** A person's last answered question in a channel that started a thread, from `since` until `before`. */
  findLastAlone: async (
    place: SlackLocation,
    askedBy: string,
    { since, before }: { readonly since: Date; readonly before: Date },
    tx?: Tx,
  ): Promise<string | null> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw("place ->> 'team' = ? and place ->> 'channel' = ?", [place.team, place.channel])
      .whereRaw("place ->> 'thread' = place ->> 'message'")
      .where({ status: 'answered', asked_by: askedBy })
      .whereNull('withdrawn_at')
      .where('asked_at', '>=', since)
      // Messages of the same moment are ordered by id, which follows the order of posting.
      .whereRaw("(asked_at, place ->> 'message') < (?, ?)", [before, place.message])
      .orderByRaw("asked_at desc, place ->> 'message' desc")
      .first('id')
    return row === undefined ? null : QuestionId.parse(row).id
  },

  /** This person's question in this thread that waits for a reply; the latest if there are several. */
  findWaiting: async (place: SlackLocation, askedBy: string, tx?: Tx): Promise<string | null> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(place))
      .where({ status: 'waiting', asked_by: askedBy })
      .orderBy('asked_at', 'desc')
      .first('id')
    return row === undefined ? null : QuestionId.parse(row).id
  },
})
