import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import type { Vote, VoteCount } from '../../core/vote.ts'
import type { Within } from '../transactions.ts'

const VOTES = 'querent.votes'

/** A person's vote on the answer of a question, with the run and the candidate it was about. */
export interface StoredVote {
  readonly questionId: string
  readonly person: string
  readonly vote: Vote
  readonly runId: string
  readonly candidateId: string
}

const Count = z.object({ up: z.coerce.number(), down: z.coerce.number() })

/** Makes the queries over votes. */
export const makeVotes = (within: Within) => ({
  /** Keeps a vote; a person's last one counts. Fails when the question has no answer. */
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

  /** The last votes of everybody on one answer as it stands: votes on what it was before a change are about that. */
  count: async (questionId: string, tx?: Tx): Promise<VoteCount> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select count(*) filter (where vote = 'up') as up, count(*) filter (where vote = 'down') as down
       from ${VOTES} where question_id = ? and voted_at > coalesce(
         (select max(made_at) from querent.answer_revisions where question_id = ?), '-infinity')`,
      [questionId, questionId],
    )
    return Count.parse(rows[0])
  },

  /** The last votes of everybody on all answers. */
  countAll: async (tx?: Tx): Promise<VoteCount> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select count(*) filter (where vote = 'up') as up, count(*) filter (where vote = 'down') as down
       from ${VOTES}`,
    )
    return Count.parse(rows[0])
  },
})
