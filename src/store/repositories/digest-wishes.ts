import { z } from 'zod'
import type { DigestTarget } from '../../core/digest.ts'
import type { DigestRequest, DigestRequestEnd } from '../../core/digest-wish.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredCondition } from '../stored/digest.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const REQUESTS = 'querent.digest_wishes'

const Target: z.ZodType<DigestTarget> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('channel'), channel: z.string() }),
  z.object({ kind: z.literal('person'), person: z.string() }),
])
const RequestRow = z.object({
  question_id: z.string(),
  person: z.string(),
  form: z.object({
    schedule: z.string(),
    timeZone: z.string().nullable(),
    condition: StoredCondition.optional(),
    target: Target,
  }),
  made_at: z.date(),
  ended: z.enum(['answered', 'refused', 'failed', 'stopped', 'withdrawn']).nullable(),
})
const QuestionId = z.object({ question_id: z.string() })

/** How the question of a wish ended; null while it has not, for instance because it waits for a reply. */
const ENDED = `case when question.withdrawn_at is not null then 'withdrawn'
  when question.status in ('answered', 'refused', 'failed', 'stopped') then question.status end`

/** Makes the queries over digests that are wanted of questions. */
export const makeDigestRequests = (within: Within) => ({
  /** Keeps a wish; the first of a question stays. */
  insert: async ({ questionId, person, digest, madeAt }: DigestRequest, tx?: Tx): Promise<void> => {
    await within(tx)(REQUESTS)
      .insert({ question_id: questionId, person, form: toJsonb(digest), made_at: madeAt })
      .onConflict('question_id')
      .ignore()
  },

  /** The wish of a question, and how that ended. */
  find: async (
    questionId: string,
    tx?: Tx,
  ): Promise<{ readonly wish: DigestRequest; readonly ended: DigestRequestEnd | null } | null> => {
    const raw: unknown = await within(tx)(`${REQUESTS} as wish`)
      .join('querent.questions as question', 'question.id', 'wish.question_id')
      .where('wish.question_id', questionId)
      .first('wish.*', within(tx).raw(`${ENDED} as ended`))
    if (raw === undefined) return null
    const { question_id, person, form, made_at, ended } = RequestRow.parse(raw)
    return { wish: { questionId: question_id, person, digest: form, madeAt: made_at }, ended }
  },

  /** Questions with a wish that have ended, the oldest wish first. */
  listEnded: async (most: number, tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)(`${REQUESTS} as wish`)
      .join('querent.questions as question', 'question.id', 'wish.question_id')
      .whereRaw(`${ENDED} is not null`)
      .orderBy('wish.made_at')
      .limit(most)
      .select('wish.question_id')
    return rows.map(row => QuestionId.parse(row).question_id)
  },

  remove: async (questionId: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(REQUESTS).where({ question_id: questionId }).delete()) === 1,
})
