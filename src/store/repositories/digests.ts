import { z } from 'zod'
import type { Digest, DigestTarget } from '../../domain/digests/digest.ts'
import type { DigestRequest, DigestRequestEnd } from '../../domain/digests/use-cases.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { isUuid } from '../../lib/uuid.ts'
import {
  StoredCondition,
  StoredDigestQuestion,
  StoredPause,
  StoredRepair,
  StoredTarget,
  storedSchedule,
} from '../stored/digest.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const DIGESTS = 'querent.digests'

const DigestRow = z.object({
  id: z.string(),
  team: z.string(),
  owner: z.string(),
  title: z.string(),
  questions: z.array(StoredDigestQuestion),
  cron: z.string(),
  time_zone: z.string(),
  schedule_words: z.string(),
  condition: StoredCondition,
  target: StoredTarget,
  pause: StoredPause.nullable(),
  next_due: z.date().nullable(),
  failures: z.number().int(),
  repair: StoredRepair.nullable(),
  created_at: z.date(),
})

const Count = z.object({ count: z.coerce.number() })

const toDigest = (found: unknown): Digest => {
  const row = DigestRow.parse(found)
  return {
    id: row.id,
    team: row.team,
    owner: row.owner,
    title: row.title,
    questions: row.questions,
    schedule: storedSchedule(row),
    condition: row.condition,
    target: row.target,
    pause: row.pause,
    nextDue: row.next_due,
    failures: row.failures,
    createdAt: row.created_at,
    repair: row.repair,
  }
}

/** The changed fields of a digest; the rest stays. */
type DigestChanges = Partial<
  Pick<
    Digest,
    | 'owner'
    | 'title'
    | 'questions'
    | 'schedule'
    | 'condition'
    | 'target'
    | 'pause'
    | 'nextDue'
    | 'failures'
    | 'repair'
  >
>

const columnsOf = (changes: DigestChanges) => ({
  ...(changes.owner !== undefined && { owner: changes.owner }),
  ...(changes.title !== undefined && { title: cleanText(changes.title) }),
  ...(changes.questions !== undefined && { questions: toJsonb(changes.questions) }),
  ...(changes.schedule !== undefined && {
    cron: changes.schedule.cron,
    time_zone: changes.schedule.timeZone,
    schedule_words: changes.schedule.words,
  }),
  ...(changes.condition !== undefined && { condition: toJsonb(changes.condition) }),
  ...(changes.target !== undefined && { target: toJsonb(changes.target) }),
  ...(changes.pause !== undefined && { pause: changes.pause && toJsonb(changes.pause) }),
  ...(changes.nextDue !== undefined && { next_due: changes.nextDue }),
  ...(changes.failures !== undefined && { failures: changes.failures }),
  ...(changes.repair !== undefined && { repair: changes.repair && toJsonb(changes.repair) }),
})

/** A filter for lists of digests. */
interface DigestFilter {
  readonly team: string
  /** Null for everyone's. */
  readonly owner: string | null
  readonly offset: number
  readonly limit: number
}

/** Queries on digests. */
export const makeDigests = (within: Within) => ({
  /** Stores a new digest. False if its request created one before. */
  insert: async (digest: Digest, request: string, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(DIGESTS)
      .insert({
        ...columnsOf(digest),
        id: digest.id,
        team: digest.team,
        created_at: digest.createdAt,
        request: cleanText(request),
      })
      .onConflict('request')
      .ignore()
      .returning('id')
    return inserted.length === 1
  },

  findByRequest: async (request: string, tx?: Tx): Promise<Digest | null> => {
    const row: unknown = await within(tx)(DIGESTS)
      .where({ request: cleanText(request) })
      .first()
    return row === undefined ? null : toDigest(row)
  },

  find: async (id: string, tx?: Tx): Promise<Digest | null> => {
    if (!isUuid(id)) return null
    const row: unknown = await within(tx)(DIGESTS).where({ id }).first()
    return row === undefined ? null : toDigest(row)
  },

  /** As `find`, locked until the transaction ends. */
  lock: async (id: string, tx: Tx): Promise<Digest | null> => {
    const row: unknown = await within(tx)(DIGESTS).where({ id }).forUpdate().first()
    return row === undefined ? null : toDigest(row)
  },

  /** Digests by id prefix, two at most. */
  findByPrefix: async (prefix: string, tx?: Tx): Promise<readonly Digest[]> => {
    const rows: unknown[] = await within(tx)(DIGESTS)
      .whereRaw('starts_with(id::text, ?)', [prefix.toLowerCase()])
      .limit(2)
    return rows.map(toDigest)
  },

  /** Digests of a person in a workspace, or of the whole workspace: soonest due first, paused ones last. */
  list: async (wanted: DigestFilter, tx?: Tx): Promise<readonly Digest[]> => {
    const { team, owner, offset, limit } = wanted
    const select = within(tx)(DIGESTS).where({ team }).orderByRaw('next_due, id').offset(offset).limit(limit)
    const rows: unknown[] = await (owner === null ? select : select.where({ owner }))
    return rows.map(toDigest)
  },

  /** Digests of all workspaces, for the command line. */
  listAll: async (limit: number, tx?: Tx): Promise<readonly Digest[]> => {
    const rows: unknown[] = await within(tx)(DIGESTS).orderByRaw('next_due, id').limit(limit)
    return rows.map(toDigest)
  },

  count: async ({ team, owner }: Pick<DigestFilter, 'team' | 'owner'>, tx?: Tx): Promise<number> => {
    const select = within(tx)(DIGESTS).where({ team }).count('* as count').first()
    return Count.parse(await (owner === null ? select : select.where({ owner }))).count
  },

  /** Counts a workspace's digests that go to a channel. */
  countIn: async (
    { team, channel }: { readonly team: string; readonly channel: string },
    tx?: Tx,
  ): Promise<number> =>
    Count.parse(
      await within(tx)(DIGESTS)
        .where({ team })
        .whereRaw("target->>'channel' = ?", [channel])
        .count('* as count')
        .first(),
    ).count,

  /** Serializes transactions that count a workspace's digests. */
  lockTeam: async (team: string, tx: Tx): Promise<void> => {
    await within(tx).raw("select pg_advisory_xact_lock(hashtextextended('querent digests ' || ?::text, 0))", [
      team,
    ])
  },

  /** Changes a digest; null if it is gone. */
  change: async (id: string, changes: DigestChanges, tx?: Tx): Promise<Digest | null> => {
    const [row] = await within(tx)(DIGESTS).where({ id }).update(columnsOf(changes)).returning('*')
    return row === undefined ? null : toDigest(row)
  },

  /**
   * Due digests, longest waiting first, locked until the transaction ends. Digests locked by another process are
   * skipped.
   */
  lockDue: async (now: Date, most: number, tx: Tx): Promise<readonly Digest[]> => {
    const rows: unknown[] = await within(tx)(DIGESTS)
      .where('next_due', '<=', now)
      .orderBy('next_due')
      .limit(most)
      .forUpdate()
      .skipLocked()
    return rows.map(toDigest)
  },

  /** Pauses all active digests of a workspace; returns how many. */
  pauseTeam: async (team: string, pause: NonNullable<Digest['pause']>, tx?: Tx): Promise<number> =>
    within(tx)(DIGESTS)
      .where({ team })
      .whereNull('pause')
      .update({ pause: toJsonb(pause), next_due: null }),

  /** Deletes a digest with all its runs. False if it was gone. */
  remove: async (id: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(DIGESTS).where({ id }).delete()) === 1,
})

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

/** How the question of a digest request ended; null if it has not, for instance because it waits for a reply. */
const ENDED = `case when question.withdrawn_at is not null then 'withdrawn'
  when question.status in ('answered', 'refused', 'failed', 'stopped') then question.status end`

/** Queries on digests requested together with a question. */
export const makeDigestRequests = (within: Within) => ({
  /** Stores a request; the first of a question stays. */
  insert: async ({ questionId, person, digest, madeAt }: DigestRequest, tx?: Tx): Promise<void> => {
    await within(tx)(REQUESTS)
      .insert({ question_id: questionId, person, form: toJsonb(digest), made_at: madeAt })
      .onConflict('question_id')
      .ignore()
  },

  /** The digest request of a question, and how the question ended. */
  find: async (
    questionId: string,
    tx?: Tx,
  ): Promise<{ readonly request: DigestRequest; readonly ended: DigestRequestEnd | null } | null> => {
    const raw: unknown = await within(tx)(`${REQUESTS} as request`)
      .join('querent.questions as question', 'question.id', 'request.question_id')
      .where('request.question_id', questionId)
      .first('request.*', within(tx).raw(`${ENDED} as ended`))
    if (raw === undefined) return null
    const { question_id, person, form, made_at, ended } = RequestRow.parse(raw)
    return { request: { questionId: question_id, person, digest: form, madeAt: made_at }, ended }
  },

  /** Ended questions with a digest request, oldest request first. */
  listEnded: async (most: number, tx?: Tx): Promise<readonly string[]> => {
    const rows: unknown[] = await within(tx)(`${REQUESTS} as request`)
      .join('querent.questions as question', 'question.id', 'request.question_id')
      .whereRaw(`${ENDED} is not null`)
      .orderBy('request.made_at')
      .limit(most)
      .select('request.question_id')
    return rows.map(row => QuestionId.parse(row).question_id)
  },

  remove: async (questionId: string, tx?: Tx): Promise<boolean> =>
    (await within(tx)(REQUESTS).where({ question_id: questionId }).delete()) === 1,
})
