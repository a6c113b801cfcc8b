import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import { type VerifiedQuery, type VerifiedStatus, verifiedStatuses } from '../../core/verified-query.ts'
import { StoredSlot } from '../stored/verified-slot.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.verified_queries'

/** Queries of one list. A team verifies tens or hundreds; beyond this the oldest are left out. */
const MOST_LISTED = 1_000

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
})

const asQuery = (found: unknown): VerifiedQuery => {
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
  }
}

/** Who decided about a query, and when. */
export interface VerifiedDecision {
  readonly by: string | null
  readonly at: Date
}

/** Makes the queries over verified queries. */
export const makeVerifiedQueries = (within: Within) => ({
  /** Keeps one. False when it is accepted and its question has an accepted one already, whatever the case of letters. */
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

  /** Of one database or all, in one state or any but removed, the newest first. */
  list: async (
    only: { readonly database?: string; readonly status?: VerifiedStatus } = {},
    tx?: Tx,
  ): Promise<readonly VerifiedQuery[]> => {
    const { database, status } = only
    const select = within(tx)(TABLE).orderBy('saved_at', 'desc').orderBy('id').limit(MOST_LISTED)
    if (database !== undefined) select.where({ database })
    if (status === undefined) select.whereNot({ status: 'removed' })
    else select.where({ status })
    const rows: unknown[] = await select
    return rows.map(asQuery)
  },

  /** Those whose id begins so. */
  findByPrefix: async (prefix: string, tx?: Tx): Promise<readonly VerifiedQuery[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereRaw('starts_with(id::text, ?)', [prefix.toLowerCase()])
      .limit(2)
    return rows.map(asQuery)
  },

  /**
   * Accepts one that is not accepted yet. `taken` when its question has an accepted query; null when there is none of
   * this id to accept.
   */
  accept: async (
    id: string,
    { by, at }: VerifiedDecision,
    tx?: Tx,
  ): Promise<VerifiedQuery | 'taken' | null> => {
    const changes = { status: 'accepted', decided_by: by, decided_at: at }
    try {
      const [row] = await within(tx)(TABLE)
        .where({ id })
        .whereNot({ status: 'accepted' })
        .update(changes)
        .returning('*')
      return row === undefined ? null : asQuery(row)
    } catch (error) {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'taken'
      throw error
    }
  },

  /** Takes one out of use; null when there is none of this id in use. */
  remove: async (id: string, { by, at }: VerifiedDecision, tx?: Tx): Promise<VerifiedQuery | null> => {
    const [row] = await within(tx)(TABLE)
      .where({ id })
      .whereNot({ status: 'removed' })
      .update({ status: 'removed', decided_by: by, decided_at: at })
      .returning('*')
    return row === undefined ? null : asQuery(row)
  },
})

const UNIQUE_VIOLATION = '23505'
