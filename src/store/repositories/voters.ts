import { z } from 'zod'
import type { FeedbackReview, SpeakerRecord } from '../../domain/feedback.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { Within } from '../transactions.ts'

const WEIGHTS = 'querent.voter_weights'

const REVIEWS = 'querent.feedback_reviews'

const WeightRow = z.object({ person: z.string(), weight: z.number() })

const ReviewRow = z
  .object({ person: z.string(), decision: z.enum(['accepted', 'dropped']), decided_at: z.coerce.date() })
  .transform(
    ({ decided_at: decidedAt, ...row }): FeedbackReview => ({
      person: row.person,
      decision: row.decision,
      decidedAt,
    }),
  )

/** What admins decided about feedback on a question, as JSON. `id` is an SQL expression. */
export const reviewsOf = (id: string): string =>
  `(select coalesce(jsonb_agg(to_jsonb(r) order by r.person), '[]') from ${REVIEWS} r where r.question_id = ${id})`

/** How `reviewsOf` is read. */
export const StoredFeedbackReview = ReviewRow

const SpeakerRow = z.object({
  person: z.string(),
  weight: z.number().nullable(),
  recent: z.coerce.number(),
})

/** Queries on voters: what their words weigh, and what admins decided about them. */
export const makeVoters = (within: Within) => ({
  /** Replaces all weights. */
  replace: async (weights: ReadonlyMap<string, number>, at: Date, tx: Tx): Promise<void> => {
    await within(tx)(WEIGHTS).delete()
    if (weights.size === 0) return
    const rows = [...weights].map(([person, weight]) => ({ person, weight, updated_at: at }))
    await within(tx).batchInsert(WEIGHTS, rows)
  },

  /** By person, as of the last training; lowest first. */
  list: async (tx?: Tx): Promise<ReadonlyMap<string, number>> => {
    const rows: unknown[] = await within(tx)(WEIGHTS)
      .select('person', 'weight')
      .orderBy('weight')
      .orderByRaw('person collate "C"')
    return new Map(rows.map(row => WeightRow.parse(row)).map(({ person, weight }) => [person, weight]))
  },

  /**
   * Everyone who said something of an answer: their weight as of the last training, null for somebody new, and of how
   * many answers they said something within `burstMs` of what they said last of this one.
   */
  speakers: async (questionId: string, burstMs: number, tx?: Tx): Promise<readonly SpeakerRecord[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `with said as (
         select person, max(at) as at from (
           select person, voted_at as at from querent.votes where question_id = :questionId
           union all select person, given_at from querent.feedback where question_id = :questionId
         ) both_kinds group by person
       )
       select said.person, w.weight, (
         select count(distinct question_id) from (
           select question_id from querent.votes v where v.person = said.person
             and v.voted_at between said.at - :burst * interval '1 millisecond' and said.at + :burst * interval '1 millisecond'
           union all select question_id from querent.feedback f where f.person = said.person
             and f.given_at between said.at - :burst * interval '1 millisecond' and said.at + :burst * interval '1 millisecond'
         ) around
       ) as recent
       from said left join ${WEIGHTS} w on w.person = said.person order by said.person`,
      { questionId, burst: burstMs },
    )
    return rows.map(row => SpeakerRow.parse(row))
  },

  /** Stores a decision about what a person said of answers so far; a later decision replaces it. */
  review: async (
    questionIds: readonly string[],
    {
      person,
      decision,
      by,
      at,
    }: {
      readonly person: string
      readonly decision: FeedbackReview['decision']
      readonly by: string | null
      readonly at: Date
    },
    tx?: Tx,
  ): Promise<void> => {
    if (questionIds.length === 0) return
    await within(tx)(REVIEWS)
      .insert(questionIds.map(id => ({ question_id: id, person, decision, decided_by: by, decided_at: at })))
      .onConflict(['question_id', 'person'])
      .merge()
  },
})
