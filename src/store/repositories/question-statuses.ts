import { z } from 'zod'
import type { FailedQuestion, RecentQuestion } from '../../domain/home.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { QuestionStatus } from '../../domain/question.ts'
import { type StoredQuestion, StoredStatus, toQuestion } from '../stored/question.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.questions'

const Id = z.object({ id: z.string() })

const PreviousRow = z.object({ was: StoredStatus })

const Counts = z.object({
  answered: z.coerce.number(),
  refused: z.coerce.number(),
  failed: z.coerce.number(),
})

/** Updates a question if it has one of some statuses; returns the changed rows. */
const moveTo = (
  within: Within,
  given: {
    readonly id: string
    readonly from: readonly QuestionStatus[]
    readonly to: QuestionStatus
    readonly tx: Tx | undefined
  },
) =>
  within(given.tx)(TABLE)
    .where({ id: given.id })
    .whereIn('status', [...given.from])
    .update({ status: given.to, updated_at: within(given.tx).fn.now() })
    .returning('*')

/** Queries on question statuses. */
export const makeQuestionStatuses = (within: Within) => ({
  /** Sets a question's status, whatever it was. False if the id is unknown. */
  setStatus: async (id: string, status: QuestionStatus, tx?: Tx): Promise<boolean> => {
    const updated = await within(tx)(TABLE)
      .where({ id })
      .update({ status, updated_at: within(tx).fn.now() })
    return updated === 1
  },

  /** Changes a question's status if it is one of some, and returns it; null otherwise. Of two callers, one wins. */
  move: async (
    id: string,
    from: readonly QuestionStatus[],
    to: QuestionStatus,
    tx?: Tx,
  ): Promise<StoredQuestion | null> => {
    const [row] = await moveTo(within, { id, from, to, tx })
    return row === undefined ? null : toQuestion(row)
  },

  /** The same for a question whose clarification has no reply yet; with a reply, its job continues. */
  moveUnlessReplied: async (
    id: string,
    from: readonly QuestionStatus[],
    to: QuestionStatus,
    tx?: Tx,
  ): Promise<StoredQuestion | null> => {
    const [row] = await moveTo(within, { id, from, to, tx }).whereNotExists(
      within(tx)('querent.replies').where({ question_id: id }).select('question_id'),
    )
    return row === undefined ? null : toQuestion(row)
  },

  /**
   * Marks a question that has not ended as `stopping`, and by whom. Returns its earlier status; null if it had ended or
   * was already being stopped. Of a simultaneous stop and end, one wins.
   */
  stop: async (id: string, by: string | null, tx?: Tx): Promise<QuestionStatus | null> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `update ${TABLE} as question set status = 'stopping', stopped_by = ?, updated_at = now()
       from (select id, status from ${TABLE} where id = ? for update) as before
       where question.id = before.id and before.status in ('queued', 'working', 'waiting')
       returning before.status as was`,
      [by, id],
    )
    return rows[0] === undefined ? null : PreviousRow.parse(rows[0]).was
  },

  /** Which of some questions are being stopped. */
  listStopping: async (ids: readonly string[], tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereIn('id', [...ids])
      .whereIn('status', ['stopping', 'stopped'])
      .select('id')
    return rows.map(row => Id.parse(row).id)
  },

  /** Counts of questions by end. */
  countEnded: async (tx?: Tx): Promise<z.infer<typeof Counts>> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select count(*) filter (where status = 'answered') as answered,
              count(*) filter (where status = 'refused') as refused,
              count(*) filter (where status = 'failed') as failed
       from ${TABLE}`,
    )
    return Counts.parse(rows[0])
  },
})

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

const FailedQuestionRow = QuestionRow.extend({ reason: z.string().nullable(), database: z.string() })

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
  location: place,
})

/** Queries for App Home. */
export const makeHomeQuestions = (within: Within) => ({
  /** The latest questions of a person in a workspace, without withdrawn ones, newest first. */
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

  /** The latest failed questions of a workspace, without withdrawn ones, newest first, with the reason. */
  listFailed: async (team: string, most: number, tx?: Tx): Promise<readonly FailedQuestion[]> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select q.id, q.text, q.status, q.asked_at, q.place, q.database, r.outcome ->> 'reason' as reason
       from querent.questions as q
       left join lateral (select outcome from querent.runs
         where question_id = q.id and outcome is not null order by started_at desc limit 1) as r on true
       where q.status = 'failed' and q.place ->> 'team' = ? and q.withdrawn_at is null
       order by q.updated_at desc limit ?`,
      [team, most],
    )
    return rows.map(row => {
      const failed = FailedQuestionRow.parse(row)
      return { ...toRecent(failed), reason: failed.reason, database: failed.database }
    })
  },
})
