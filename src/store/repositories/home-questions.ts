import { z } from 'zod'
import type { FailedQuestion, RecentQuestion } from '../../core/home.ts'
import type { Tx } from '../../core/tx.ts'
import type { Within } from '../transactions.ts'

const RecentStatus = z.enum([
  'queued',
  'working',
  'waiting',
  'stopping',
  'answered',
  'refused',
  'failed',
  'stopped',
])
const QuestionRow = z.object({
  id: z.string(),
  text: z.string(),
  status: RecentStatus,
  asked_at: z.date(),
  place: z.looseObject({ team: z.string(), channel: z.string(), thread: z.string(), message: z.string() }),
})
const FailedQuestionRow = QuestionRow.extend({ reason: z.string().nullable() })

const toRecent = ({
  id,
  text,
  status,
  asked_at: askedAt,
  place,
}: z.infer<typeof QuestionRow>): RecentQuestion => ({
  id,
  text,
  status,
  askedAt,
  place,
})

/** Makes the queries over questions that App Home asks. */
export const makeHomeQuestions = (within: Within) => ({
  /** The latest of a person in a workspace that were not taken back, the newest first. */
  listOf: async (
    { person, team }: { readonly person: string; readonly team: string },
    most: number,
    tx?: Tx,
  ): Promise<readonly RecentQuestion[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select id, text, status, asked_at, place from querent.questions
       where asked_by = ? and place ->> 'team' = ? and withdrawn_at is null
       order by asked_at desc limit ?`,
      [person, team, most],
    )
    return rows.map(row => toRecent(QuestionRow.parse(row)))
  },

  /** The latest of a workspace that failed and were not taken back, with why, the newest first. */
  listFailed: async (team: string, most: number, tx?: Tx): Promise<readonly FailedQuestion[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select q.id, q.text, q.status, q.asked_at, q.place, r.outcome ->> 'reason' as reason
       from querent.questions as q
       left join lateral (select outcome from querent.runs
         where question_id = q.id and outcome is not null order by started_at desc limit 1) as r on true
       where q.status = 'failed' and q.place ->> 'team' = ? and q.withdrawn_at is null
       order by q.updated_at desc limit ?`,
      [team, most],
    )
    return rows.map(row => {
      const failed = FailedQuestionRow.parse(row)
      return { ...toRecent(failed), reason: failed.reason }
    })
  },
})
