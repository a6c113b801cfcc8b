import { z } from 'zod'
import type { SlackLocation } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { Tx } from '../../core/tx.ts'
import { type StoredQuestion, toQuestion } from '../stored/question.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'
import { makeQuestionStatuses } from './questions/question-statuses.ts'
import { makeQuestionsInThreads } from './questions/questions-in-threads.ts'

const TABLE = 'querent.questions'
const Id = z.object({ id: z.string() })

/** Written as the index over messages is. */
const MESSAGE_MATCHES = `place ->> 'team' = ? and place ->> 'channel' = ? and place ->> 'message' = ?`

/** Makes the queries over questions. */
export const makeQuestions = (within: Within) => ({
  ...makeQuestionsInThreads(within),
  ...makeQuestionStatuses(within),

  /** Stores a question as `queued`. False when one of this key is there already: then nothing happens. */
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

  /** The workspace that a person asked in last; null for somebody who never did. */
  lastTeamOf: async (person: string): Promise<string | null> => {
    const row: unknown = await within()(TABLE)
      .where({ asked_by: person })
      .whereNotNull('place')
      .orderBy('asked_at', 'desc')
      .first()
    return row === undefined ? null : (toQuestion(row).place?.team ?? null)
  },

  find: async (id: string, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE).where({ id }).first()
    return row === undefined ? null : toQuestion(row)
  },

  findByKey: async (key: string, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE).where({ key }).first()
    return row === undefined ? null : toQuestion(row)
  },

  /** The question that a message was taken for last and that was not taken back; null when there is none. */
  findByMessage: async (place: SlackLocation, tx?: Tx): Promise<StoredQuestion | null> => {
    const row: unknown = await within(tx)(TABLE)
      .whereRaw(MESSAGE_MATCHES, [place.team, place.channel, place.message])
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

  /** Has a question stand that was taken back. */
  reinstate: async (id: string, tx?: Tx): Promise<void> => {
    await within(tx)(TABLE).where({ id }).update({ withdrawn_at: null })
  },

  isWithdrawn: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ id }).whereNotNull('withdrawn_at').first('id')) !== undefined,

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

  /** Deletes a question with everything that belongs to it. */
  remove: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(TABLE).where({ id }).delete()) === 1,
})
