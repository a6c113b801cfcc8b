import { z } from 'zod'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { ReferencedTable } from '../../domain/schema-drift.ts'
import {
  type OwnerNoticeLog,
  type Staleness,
  type StalenessKey,
  type StoredVerifiedQuery,
  type VerifiedQuery,
  type VerifiedRun,
  type VerifiedSlot,
  type VerifiedStatus,
  verifiedStatuses,
} from '../../domain/verified-query.ts'
import { isUuid } from '../../lib/uuid.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'
import { makePostLog } from './messages.ts'

const TABLE = 'querent.verified_queries'

/** The most queries listed. A team verifies tens or hundreds; older ones are left out. */
const MAX_LISTED = 1_000

const at = z.coerce.date()

const StoredVerifiedRun: z.ZodType<VerifiedRun> = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('ran'),
    at,
    rowCount: z.number().int(),
    resultHash: z.string().nullable(),
  }),
  z.looseObject({ status: z.literal('broken'), at, reason: z.string() }),
  z.looseObject({ status: z.literal('too-heavy'), at, heavySince: at.optional(), reason: z.string() }),
  z.looseObject({ status: z.literal('unreachable'), at, heavySince: at.optional(), reason: z.string() }),
])

const slotRange = z.tuple([z.number().int(), z.number().int()])

const StoredSlot: z.ZodType<VerifiedSlot> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('value'),
    at: slotRange,
    table: z.string(),
    column: z.string(),
    value: z.string(),
  }),
  z.looseObject({ kind: z.literal('number'), at: slotRange, value: z.number() }),
  z.looseObject({
    kind: z.literal('period'),
    at: slotRange,
    from: z.string().nullable(),
    until: z.string().nullable(),
  }),
])

const StoredTouchedTable: z.ZodType<ReferencedTable> = z.looseObject({
  schema: z.string().nullable(),
  name: z.string(),
  whole: z.boolean(),
  columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  definition: z.string().nullable(),
})

const Row = z.object({
  id: z.string(),
  database: z.string(),
  question: z.string(),
  masked_question: z.string(),
  sql: z.string(),
  skeleton: z.string().nullable(),
  slots: z.array(StoredSlot),
  fingerprint: z.string(),
  status: z.enum(verifiedStatuses),
  saved_by: z.string().nullable(),
  saved_at: z.date(),
  decided_by: z.string().nullable(),
  decided_at: z.date().nullable(),
  touches: z.array(StoredTouchedTable).nullable(),
  due_at: z.date().nullable(),
  last_run: StoredVerifiedRun.nullable(),
  stale_since: z.date().nullable(),
  stale_reasons: z.array(z.string()).nullable(),
})

const toQuery = (found: unknown): StoredVerifiedQuery => {
  const row = Row.parse(found)
  return {
    id: row.id,
    database: row.database,
    question: row.question,
    maskedQuestion: row.masked_question,
    sql: row.sql,
    skeleton: row.skeleton,
    slots: row.slots,
    fingerprint: row.fingerprint,
    status: row.status,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    touches: row.touches,
    dueAt: row.due_at,
    lastRun: row.last_run,
    staleness: row.stale_since && { since: row.stale_since, reasons: row.stale_reasons ?? [] },
  }
}

const notStale = { stale_since: null, stale_reasons: null }

/** Who decided about a query, and when. */
interface VerifiedDecision {
  readonly by: string | null
  readonly at: Date
}

/** Queries on verified queries. */
export const makeVerifiedQueries = (within: Within) => ({
  /** Stores a query. False if it is accepted and its question already has an accepted one, ignoring case. */
  insert: async (query: VerifiedQuery, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(TABLE)
      .insert({
        id: query.id,
        database: query.database,
        question: cleanText(query.question),
        masked_question: cleanText(query.maskedQuestion),
        sql: cleanText(query.sql),
        skeleton: query.skeleton === null ? null : cleanText(query.skeleton),
        slots: toJsonb(query.slots),
        touches: query.touches && toJsonb(query.touches),
        fingerprint: query.fingerprint,
        status: query.status,
        saved_by: query.savedBy,
        saved_at: query.savedAt,
        decided_by: query.decidedBy,
        decided_at: query.decidedAt,
      })
      .onConflict()
      .ignore()
      .returning('id')
    return inserted.length === 1
  },

  /** Queries of one database or all, in one state or all but removed, newest first. */
  list: async (
    only: { readonly database?: string; readonly status?: VerifiedStatus } = {},
    tx?: Tx,
  ): Promise<readonly StoredVerifiedQuery[]> => {
    const { database, status } = only
    const select = within(tx)(TABLE).orderBy('saved_at', 'desc').orderBy('id').limit(MAX_LISTED)
    if (database !== undefined) select.where({ database })
    if (status === undefined) select.whereNot({ status: 'removed' })
    else select.where({ status })
    const rows: unknown[] = await select
    return rows.map(toQuery)
  },

  /** Queries by id prefix. */
  findByPrefix: async (prefix: string, tx?: Tx): Promise<readonly StoredVerifiedQuery[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereRaw('starts_with(id::text, ?)', [prefix.toLowerCase()])
      .limit(2)
    return rows.map(toQuery)
  },

  find: async (id: string, tx?: Tx): Promise<StoredVerifiedQuery | null> => {
    if (!isUuid(id)) return null
    const row: unknown = await within(tx)(TABLE).where({ id }).first()
    return row === undefined ? null : toQuery(row)
  },

  /**
   * Accepts a query that is not accepted yet; it is rechecked soon. `taken` if its question has an accepted query; null
   * if the id is unknown. A stale query is accepted with `confirm`.
   */
  accept: async (
    id: string,
    { by, at }: VerifiedDecision,
    tx?: Tx,
  ): Promise<StoredVerifiedQuery | 'taken' | null> => {
    const changes = { status: 'accepted', decided_by: by, decided_at: at, due_at: null }
    return orDuplicate(async () => {
      const [row] = await within(tx)(TABLE)
        .where({ id })
        .whereIn('status', ['proposed', 'removed'])
        .update(changes)
        .returning('*')
      return row === undefined ? null : toQuery(row)
    })
  },

  /** Accepts a query that is proposed, or removes it; null if it is not proposed any more. `taken` as in `accept`. */
  decideProposed: async (
    id: string,
    status: 'accepted' | 'removed',
    { by, at }: VerifiedDecision,
    tx?: Tx,
  ): Promise<StoredVerifiedQuery | 'taken' | null> =>
    orDuplicate(async () => {
      const [row] = await within(tx)(TABLE)
        .where({ id, status: 'proposed' })
        .update({ status, decided_by: by, decided_at: at, due_at: null })
        .returning('*')
      return row === undefined ? null : toQuery(row)
    }),

  /**
   * Accepts a query again that has been stale since then, on the current schema. `taken` as in `accept`; null if it was
   * resolved in the meantime.
   */
  confirm: async (
    { id, since }: { readonly id: string; readonly since: Date },
    given: VerifiedDecision & Pick<StoredVerifiedQuery, 'touches' | 'lastRun' | 'dueAt'>,
    tx?: Tx,
  ): Promise<StoredVerifiedQuery | 'taken' | null> =>
    orDuplicate(async () => {
      const [row] = await within(tx)(TABLE)
        .where({ id, status: 'stale', stale_since: since })
        .update({
          ...notStale,
          status: 'accepted',
          decided_by: given.by,
          decided_at: given.at,
          touches: given.touches && toJsonb(given.touches),
          last_run: given.lastRun && toJsonb(given.lastRun),
          due_at: given.dueAt,
        })
        .returning('*')
      return row === undefined ? null : toQuery(row)
    }),

  /** Ids of accepted queries due for a recheck, longest waiting first. */
  due: async (now: Date, most: number, tx?: Tx): Promise<readonly string[]> =>
    within(tx)(TABLE)
      .where({ status: 'accepted' })
      .where(due => due.whereNull('due_at').orWhere('due_at', '<=', now))
      .orderByRaw('due_at nulls first, id')
      .limit(most)
      .pluck('id'),

  /**
   * Stores the result of a recheck. With `staleness` the query is no longer used. False if it was no longer accepted,
   * or another process rechecked it meanwhile (`lastRunAt` is the last run the caller knew).
   */
  recordRun: async (
    { id, lastRunAt }: { readonly id: string; readonly lastRunAt: Date | null },
    given: {
      readonly run: VerifiedRun
      readonly touches: VerifiedQuery['touches']
      readonly dueAt: Date | null
      readonly staleness: Staleness | null
    },
    tx?: Tx,
  ): Promise<boolean> => {
    const { run, touches, dueAt, staleness } = given
    const updated = await within(tx)(TABLE)
      .where({ id, status: 'accepted' })
      .whereRaw("last_run ->> 'at' is not distinct from ?", [lastRunAt?.toISOString() ?? null])
      .update({
        last_run: toJsonb(run),
        touches: touches && toJsonb(touches),
        due_at: dueAt,
        ...(staleness && {
          status: 'stale',
          stale_since: staleness.since,
          stale_reasons: toJsonb(staleness.reasons),
        }),
      })
    return updated === 1
  },

  /** Removes a query that has been stale since then; null if it was resolved in the meantime. */
  dismiss: async (
    { id, since }: { readonly id: string; readonly since: Date },
    { by, at }: VerifiedDecision,
    tx?: Tx,
  ): Promise<StoredVerifiedQuery | null> => {
    const [row] = await within(tx)(TABLE)
      .where({ id, status: 'stale', stale_since: since })
      .update({ ...notStale, status: 'removed', decided_by: by, decided_at: at })
      .returning('*')
    return row === undefined ? null : toQuery(row)
  },

  /** Removes a query from use; null if the id is unknown or not in use. */
  remove: async (id: string, { by, at }: VerifiedDecision, tx?: Tx): Promise<StoredVerifiedQuery | null> => {
    const [row] = await within(tx)(TABLE)
      .where({ id })
      .whereNot({ status: 'removed' })
      .update({ ...notStale, status: 'removed', decided_by: by, decided_at: at })
      .returning('*')
    return row === undefined ? null : toQuery(row)
  },
})

const UNIQUE_VIOLATION = '23505'

const orDuplicate = async <T>(accept: () => Promise<T>): Promise<T | 'taken'> => {
  try {
    return await accept()
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'taken'
    throw error
  }
}

/** Queries on notices to owners of stale queries. */
export const makeVerifiedNotices = (within: Within) =>
  makePostLog<StalenessKey>(within, {
    table: 'querent.verified_notices',
    keyOf: ({ queryId, since }) => ({ query_id: queryId, since }),
  }) satisfies OwnerNoticeLog
