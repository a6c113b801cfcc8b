import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AnswerCacheKey } from '../../domain/answer-cache.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { Within } from '../transactions.ts'

/** Hash of a key, as base64url. People's words are in no cache, only their hashes. */
export const hashAnswerKey = ({
  database,
  schemaVersion,
  question,
  answeredBy,
  rights,
}: AnswerCacheKey): string =>
  createHash('sha256')
    .update(JSON.stringify([database, schemaVersion, question, answeredBy, rights]))
    .digest('base64url')

/** Whether a text has the form of such a hash. */
export const isAnswerKeyHash = (text: string): boolean => /^[\w-]{43}$/.test(text)

const CopiedRow = z.object({ id: z.string() })

const FoundAnswer = z.object({ question_id: z.string(), candidate_id: z.string() })

const ReadAtRow = z.object({ read_at: z.date() })

/** An answer that can be reused for questions with an equal key. */
interface ReusableAnswer {
  readonly questionId: string
  readonly key: AnswerCacheKey
  /** When its rows were read. */
  readonly readAt: Date
  readonly expiresAt: Date
}

/** Queries on reused answers. */
export const makeCachedAnswers = (within: Within) => ({
  /** Records that an answer can be reused. Answers that a cache names without such a record are not. */
  record: async ({ questionId, key, readAt, expiresAt }: ReusableAnswer, tx?: Tx): Promise<void> => {
    await within(tx)('querent.reusable_answers')
      .insert({
        question_id: questionId,
        key_hash: hashAnswerKey(key),
        read_at: readAt,
        expires_at: expiresAt,
      })
      .onConflict('question_id')
      .merge()
  },

  /**
   * When the rows of an answer were read; null if it cannot be reused. It was recorded under the same key and has not
   * expired; it was asked in the same workspace, of the same database, under the same rights; its question is answered
   * and not withdrawn; and nobody has marked the answer as wrong, changed it or rejected it, there or where it was
   * reused before.
   */
  findReusable: async (
    {
      questionId,
      key,
      team,
    }: { readonly questionId: string; readonly key: AnswerCacheKey; readonly team: string },
    now: Date,
    tx?: Tx,
  ): Promise<Date | null> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `with shown as (
         select question_id from querent.answers where question_id = :id or cached_from = :id)
       select reusable.read_at from querent.questions as question
         join querent.reusable_answers as reusable on reusable.question_id = question.id
        where question.id = :id and question.status = 'answered' and question.withdrawn_at is null
          and reusable.key_hash = :hash and reusable.expires_at > :now
          and question.database = :database and question.place ->> 'team' = :team
          and exists (select 1 from querent.answers where question_id = :id and cached_from is null)
          and not exists (select 1 from querent.votes join shown using (question_id) where vote = 'down')
          and not exists (select 1 from querent.answer_revisions join shown using (question_id))
          and not exists (
            select 1 from querent.human_requests join shown using (question_id)
             where decision in ('rejected', 'fixed'))`,
      { id: questionId, hash: hashAnswerKey(key), database: key.database, team, now },
    )
    return rows.map(row => ReadAtRow.parse(row).read_at)[0] ?? null
  },

  /** Deletes expired records; returns how many. */
  purgeExpired: async (now: Date, tx?: Tx): Promise<number> =>
    within(tx)('querent.reusable_answers').where('expires_at', '<=', now).delete(),

  /** The question whose answer was reused for this one; null if it was answered itself. */
  sourceOf: async (questionId: string, tx?: Tx): Promise<string | null> => {
    const row: unknown = await within(tx)('querent.answers')
      .where({ question_id: questionId })
      .whereNotNull('cached_from')
      .first('cached_from as question_id', 'candidate_id')
    return row === undefined ? null : FoundAnswer.parse(row).question_id
  },

  /** Copies a result for another question, with the same expiry. False if it has expired. */
  copyResult: async (
    { from, to, questionId }: { readonly from: string; readonly to: string; readonly questionId: string },
    now: Date,
    tx?: Tx,
  ): Promise<boolean> => {
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `insert into querent.saved_results
         (id, question_id, canonical_hash, columns, head, body, body_row_count, row_count, truncated, milliseconds,
          expires_at)
       select :to, :questionId, canonical_hash, columns, head, body, body_row_count, row_count, truncated,
              milliseconds, expires_at
         from querent.saved_results where id = :from and expires_at > :now
       returning id`,
      { from, to, questionId, now },
    )
    return rows.map(row => CopiedRow.parse(row)).length === 1
  },
})
