import { z } from 'zod'
import {
  type AnswerFeedback,
  type FeedbackKind,
  feedbackReasons,
  type StoredFeedback,
  type Vote,
  type VoteCount,
} from '../../domain/feedback.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { cleanText, literalUnion } from '../stored/json.ts'
import type { Within } from '../transactions.ts'
import { StoredMeasuredGroup } from './selectors.ts'
import { reviewsOf, StoredFeedbackReview } from './voters.ts'

const FEEDBACK = 'querent.feedback'

/**
 * The most answers read at once: at a few kilobytes each they fit in memory, and older feedback has already been used.
 */
const MAX_ANSWERS = 20_000

const StoredKind = literalUnion<FeedbackKind>({
  reason: true,
  alternative: true,
  sql: true,
  edit: true,
  export: true,
  verification: true,
})

const StoredRow = z.object({
  question_id: z.string(),
  person: z.string(),
  kind: StoredKind,
  answer_key: z.string(),
  group_key: z.string(),
  reason: z.enum(feedbackReasons).nullable(),
  note: z.string().nullable(),
  sql: z.string().nullable(),
  given_at: z.coerce.date(),
})

const FeedbackRow = z.object({
  question_id: z.string(),
  question: z.string(),
  database: z.string(),
  version: z.string(),
  groups: z.array(StoredMeasuredGroup),
  votes: z.array(
    z.object({
      person: z.string(),
      vote: z.enum(['up', 'down']),
      candidate_id: z.string(),
      voted_at: z.coerce.date(),
    }),
  ),
  kept: z.array(StoredRow),
  reviews: z.array(StoredFeedbackReview),
  candidates: z.array(z.object({ id: z.string(), lineage: z.string(), sql: z.string() })),
})

const toStoredFeedback = (row: z.infer<typeof StoredRow>): StoredFeedback => ({
  questionId: row.question_id,
  person: row.person,
  kind: row.kind,
  answerKey: row.answer_key,
  groupKey: row.group_key,
  reason: row.reason,
  note: row.note,
  sql: row.sql,
  givenAt: row.given_at,
})

const toFeedback = (raw: unknown): AnswerFeedback => {
  const row = FeedbackRow.parse(raw)
  return {
    questionId: row.question_id,
    question: row.question,
    database: row.database,
    snapshot: { version: row.version, groups: row.groups },
    ...toSaid(row),
    candidates: row.candidates,
  }
}

/** What people did about one answer, and what admins decided about that. */
type Said = Pick<AnswerFeedback, 'votes' | 'feedback' | 'reviews'>

const toSaid = ({
  votes,
  kept,
  reviews,
}: Pick<z.infer<typeof FeedbackRow>, 'votes' | 'kept' | 'reviews'>): Said => ({
  reviews,
  votes: votes.map(vote => ({
    person: vote.person,
    vote: vote.vote,
    candidateId: vote.candidate_id,
    votedAt: vote.voted_at,
  })),
  feedback: kept.map(toStoredFeedback),
})

const SaidRow = FeedbackRow.pick({ votes: true, kept: true, reviews: true })

/** Votes on a question's answer as JSON; one from after a change is about the change. `id` is an SQL expression. */
const votesOf = (id: string): string =>
  `(select coalesce(jsonb_agg(to_jsonb(v) order by v.voted_at, v.person), '[]') from querent.votes v
          where v.question_id = ${id} and not exists (
            select from querent.answer_revisions r where r.question_id = ${id} and r.made_at <= v.voted_at
          ))`

/** Other feedback on it, likewise. */
const keptOf = (id: string): string =>
  `(select coalesce(jsonb_agg(to_jsonb(f) order by f.given_at, f.person, f.kind), '[]') from ${FEEDBACK} f
          where f.question_id = ${id} and not (f.kind in ('export', 'verification') and exists (
            select from querent.answer_revisions r where r.question_id = ${id} and r.made_at <= f.given_at
          )))`

/** Queries on feedback. */
export const makeFeedback = (within: Within) => ({
  /** Stores feedback; a person's last one of each kind counts per answer. Fails if the question has no answer. */
  upsert: async (kept: StoredFeedback, tx?: Tx): Promise<void> => {
    await within(tx)(FEEDBACK)
      .insert({
        question_id: kept.questionId,
        person: kept.person,
        kind: kept.kind,
        answer_key: kept.answerKey,
        group_key: kept.groupKey,
        reason: kept.reason,
        note: kept.note === null ? null : cleanText(kept.note),
        sql: kept.sql === null ? null : cleanText(kept.sql),
        given_at: kept.givenAt,
      })
      .onConflict(['question_id', 'person', 'kind'])
      .merge()
  },

  /**
   * All feedback on answers with a known selection snapshot, oldest question first. A vote, export or verification made
   * after the answer was changed is about the change, and is left out.
   */
  list: async (tx?: Tx): Promise<readonly AnswerFeedback[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `with told as (
         select q.id, q.text, q.database, q.asked_at, s.version, s.groups
         from querent.selection_snapshots s join querent.questions q on q.id = s.question_id
         where exists (select from querent.votes v where v.question_id = q.id)
            or exists (select from ${FEEDBACK} f where f.question_id = q.id)
         order by q.asked_at desc, q.id limit ?
       )
       select told.id as question_id, told.text as question, told.database, told.version, told.groups,
         ${votesOf('told.id')} as votes,
         ${keptOf('told.id')} as kept,
         ${reviewsOf('told.id')} as reviews,
         (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'lineage', c.lineage, 'sql', c.sql)
            order by c.id collate "C"), '[]')
          from querent.candidates c where c.question_id = told.id) as candidates
       from told order by told.asked_at, told.id`,
      [MAX_ANSWERS],
    )
    return rows.map(toFeedback)
  },

  /** Votes and feedback on the answer to one question; what came after a change is left out as in `list`. */
  find: async (questionId: string, tx?: Tx): Promise<Said> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select ${votesOf('asked.id')} as votes, ${keptOf('asked.id')} as kept, ${reviewsOf('asked.id')} as reviews
       from (select ?::uuid as id) asked`,
      [questionId],
    )
    return toSaid(SaidRow.parse(rows[0]))
  },

  /** Votes and feedback since a time. */
  countSince: async (since: Date, tx?: Tx): Promise<number> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select (select count(*) from querent.votes where voted_at > ?)
            + (select count(*) from ${FEEDBACK} where given_at > ?) as count`,
      [since, since],
    )
    return z.object({ count: z.coerce.number() }).parse(rows[0]).count
  },
})

const VOTES = 'querent.votes'

/** A person's vote on an answer, with its run and candidate. */
interface StoredVote {
  readonly questionId: string
  readonly person: string
  readonly vote: Vote
  readonly runId: string
  readonly candidateId: string
}

const Count = z.object({ up: z.coerce.number(), down: z.coerce.number() })

/** Queries on votes. */
export const makeVotes = (within: Within) => ({
  /** Stores a vote, replacing an earlier one. Fails if the question has no answer. */
  upsert: async (given: StoredVote, tx?: Tx): Promise<void> => {
    await within(tx)(VOTES)
      .insert({
        question_id: given.questionId,
        person: given.person,
        vote: given.vote,
        run_id: given.runId,
        candidate_id: given.candidateId,
        voted_at: within(tx).fn.now(),
      })
      .onConflict(['question_id', 'person'])
      .merge()
  },

  /** Everyone's last votes on the current answer; votes from before a change do not count. */
  count: async (questionId: string, tx?: Tx): Promise<VoteCount> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select count(*) filter (where vote = 'up') as up, count(*) filter (where vote = 'down') as down
       from ${VOTES} where question_id = ? and voted_at > coalesce(
         (select max(made_at) from querent.answer_revisions where question_id = ?), '-infinity')`,
      [questionId, questionId],
    )
    return Count.parse(rows[0])
  },

  /** Everyone's last votes on all answers. */
  countAll: async (tx?: Tx): Promise<VoteCount> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select count(*) filter (where vote = 'up') as up, count(*) filter (where vote = 'down') as down
       from ${VOTES}`,
    )
    return Count.parse(rows[0])
  },
})
