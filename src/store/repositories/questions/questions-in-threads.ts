import { z } from 'zod'
import type { SlackLocation } from '../../../core/place.ts'
import type { Tx } from '../../../core/tx.ts'
import { type StoredQuestion, toQuestion } from '../../stored/question.ts'
import type { Within } from '../../transactions.ts'

const QUESTIONS = 'querent.questions'
const QuestionId = z.object({ id: z.string() })

/** Written as the index over threads is. */
const THREAD_MATCHES = `place ->> 'team' = ? and place ->> 'channel' = ? and place ->> 'thread' = ?`
const threadOf = (place: SlackLocation): string[] => [place.team, place.channel, place.thread]

/** Makes the queries over questions by the thread that they were asked in, or by what they follow. */
export const makeQuestionsInThreads = (within: Within) => ({
  /** The latest answered questions of a question's thread before it, oldest first; without those that were taken back. */
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

  /** Whether a question of this thread was answered, or one of this person waits there for a reply. */
  isInOurThread: async (place: SlackLocation, askedBy: string, tx?: Tx): Promise<boolean> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(place))
      .whereNull('withdrawn_at')
      .where(ours => ours.where({ status: 'answered' }).orWhere({ status: 'waiting', asked_by: askedBy }))
      .first('id')
    return row !== undefined
  },

  /** Whether a question of this thread is being worked on, or about to be. */
  isBeingAnswered: async (place: SlackLocation, tx?: Tx): Promise<boolean> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(place))
      .whereIn('status', ['queued', 'working'])
      .whereNull('withdrawn_at')
      .first('id')
    return row !== undefined
  },

  /** The last answered question of a person in a channel that began a thread, from `since` until `before`. */
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
      // Two messages of one moment are told apart by their ids, which are in the order of posting.
      .whereRaw("(asked_at, place ->> 'message') < (?, ?)", [before, place.message])
      .orderByRaw("asked_at desc, place ->> 'message' desc")
      .first('id')
    return row === undefined ? null : QuestionId.parse(row).id
  },

  /** The question of this person in this thread that waits for a reply, the last one asked if there are several. */
  findWaiting: async (place: SlackLocation, askedBy: string, tx?: Tx): Promise<string | null> => {
    const row: unknown = await within(tx)(QUESTIONS)
      .whereRaw(THREAD_MATCHES, threadOf(place))
      .where({ status: 'waiting', asked_by: askedBy })
      .orderBy('asked_at', 'desc')
      .first('id')
    return row === undefined ? null : QuestionId.parse(row).id
  },
})
