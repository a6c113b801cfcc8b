import { z } from 'zod'
import {
  type EndedStatement,
  type StatementKind,
  type StatementOrigin,
  type StatementRecord,
  statementOrigins,
  statementVerdicts,
} from '../../domain/operations/audit.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import { StoredErrorClass } from '../stored/candidate.ts'
import { literalUnion, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.audit_log'

const COLUMNS =
  'id, at, origin, person, team, channel, question_id, digest_id, database, dialect, kind, sql, verdict, error_class, reason, rows, bytes, milliseconds, command'

/** Rows deleted at once, so that no statement holds its locks for long. */
const PURGED_AT_ONCE = 20_000

/** A filter: from `since` on, before `until`. */
export interface AuditFilter {
  readonly since?: Date
  readonly until?: Date
  readonly person?: string
  readonly database?: string
  /** Only statements run for one of these. */
  readonly origins?: readonly StatementOrigin[]
}

const Row = z.object({
  id: z.string(),
  at: z.date(),
  origin: z.enum(statementOrigins),
  person: z.string().nullable(),
  team: z.string().nullable(),
  channel: z.string().nullable(),
  question_id: z.string().nullable(),
  digest_id: z.string().nullable(),
  database: z.string(),
  dialect: z.custom<ParseDialect>(value => typeof value === 'string'),
  kind: literalUnion<StatementKind>({ run: true, explain: true, schema: true, trial: true }),
  sql: z.string(),
  verdict: z.enum(statementVerdicts),
  error_class: StoredErrorClass.nullable(),
  reason: z.string().nullable(),
  rows: z.coerce.number().nullable(),
  bytes: z.coerce.number().nullable(),
  milliseconds: z.number().nullable(),
  command: z.string().nullable(),
})

const Named = z.object({ database: z.string() })

const toRecord = (raw: unknown): StatementRecord => {
  const { question_id, digest_id, error_class, ...row } = Row.parse(raw)
  return { ...row, questionId: question_id, digestId: digest_id, errorClass: error_class }
}

/** Queries on the audit log. */
export const makeAuditLog = (within: Within) => {
  const page = async (
    filter: AuditFilter,
    { after, most }: { readonly after: Pick<StatementRecord, 'at' | 'id'> | null; readonly most: number },
  ): Promise<readonly StatementRecord[]> => {
    const { since, until, person, database, origins } = filter
    const query = within()(TABLE).select(within().raw(COLUMNS)).orderBy(['at', 'id']).limit(most)
    if (since) query.where('at', '>=', since)
    if (until) query.where('at', '<', until)
    if (person !== undefined) query.where('person', person)
    if (database !== undefined) query.where('database', database)
    if (origins !== undefined) query.whereIn('origin', [...origins])
    if (after) query.whereRaw('(at, id) > (?, ?)', [after.at, after.id])
    const rows: unknown[] = await query
    return rows.map(toRecord)
  }

  return {
    /** Inserts statements in one round trip. */
    insert: async (records: readonly StatementRecord[], tx?: Tx): Promise<void> => {
      const rows = records.map(({ questionId, digestId, errorClass, sql, ...record }) => ({
        ...record,
        sql: truncateStatement(sql),
        question_id: questionId,
        digest_id: digestId,
        error_class: errorClass,
      }))
      await within(tx).raw(
        `insert into ${TABLE} (${COLUMNS})
         select ${COLUMNS} from jsonb_populate_recordset(null::${TABLE}, ?::jsonb)`,
        [toJsonb(rows)],
      )
    },

    /** Records how statements ended; missing rows are ignored. */
    finish: async (ends: readonly EndedStatement[], tx?: Tx): Promise<void> => {
      const rows = ends.map(({ id, verdict, errorClass, ...read }) => ({
        ...{ id, verdict, error_class: errorClass },
        ...{ rows: read.rows, bytes: read.bytes, milliseconds: read.milliseconds },
      }))
      await within(tx).raw(
        `update ${TABLE} as log set verdict = done.verdict, error_class = done.error_class,
           rows = done.rows, bytes = done.bytes, milliseconds = done.milliseconds
         from jsonb_populate_recordset(null::${TABLE}, ?::jsonb) as done
         where log.id = done.id`,
        [toJsonb(rows)],
      )
    },

    /** Statements of a period by time: the first `most` after a given one. */
    page,

    /** All of them, with one page in memory at a time. */
    stream: async function* (
      filter: AuditFilter,
      { signal, most = 1_000 }: { readonly signal?: AbortSignal; readonly most?: number } = {},
    ): AsyncGenerator<StatementRecord> {
      let after: StatementRecord | null = null
      for (;;) {
        signal?.throwIfAborted()
        const records: readonly StatementRecord[] = await page(filter, { after, most })
        yield* records
        after = records.at(-1) ?? null
        if (records.length < most) return
      }
    },

    /** The names of all databases that statements ran on. */
    databases: async (): Promise<readonly string[]> => {
      const rows: unknown[] = await within()(TABLE).distinct('database')
      return rows.map(row => Named.parse(row).database)
    },

    /** Deletes what ran before a moment; returns how many rows. */
    purgeBefore: async (before: Date): Promise<number> => {
      let purged = 0
      for (;;) {
        const { rowCount } = await within().raw<{ rowCount: number }>(
          `delete from ${TABLE} where id in (select id from ${TABLE} where at < ? order by at limit ?)`,
          [before, PURGED_AT_ONCE],
        )
        purged += rowCount
        if (rowCount < PURGED_AT_ONCE) return purged
      }
    },
  }
}

/** Longer texts are cut: a refused statement may have any length. */
const MAX_TEXT = 100_000

/** A statement as the audit log stores it: complete, unless it is absurdly long. */
export const truncateStatement = (sql: string): string =>
  sql.length > MAX_TEXT ? `${sql.slice(0, MAX_TEXT)}…` : sql
