import { z } from 'zod'
import type {
  DigestFinding,
  DigestMessageKey,
  DigestMessageLog,
  DigestOutcome,
  DigestRun,
  DigestRunKey,
  ExecutedStatement,
} from '../../domain/digest.ts'
import type { Tx } from '../../domain/operations/transaction.ts'
import { StoredFinding, StoredStatements } from '../stored/digest.ts'
import { cleanText, literalUnion, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'
import { makePostLog } from './messages.ts'

const RUNS = 'querent.digest_runs'

const Outcome = literalUnion<DigestOutcome>({
  posted: true,
  quiet: true,
  partly: true,
  failed: true,
  'not-allowed': true,
  repair: true,
  unreachable: true,
  skipped: true,
})

const RunRow = z.object({
  digest_id: z.string(),
  scheduled_for: z.date(),
  kind: z.enum(['due', 'late', 'by-hand']),
  missed: z.number().int(),
  request: z.string().nullable(),
  claimed_at: z.date(),
  ended_at: z.date().nullable(),
  outcome: Outcome.nullable(),
  run_by: z.string().nullable(),
})

const Statements = z.object({ statements: StoredStatements.nullable() })

const toRun = (found: unknown): DigestRun => {
  const row = RunRow.parse(found)
  return {
    digestId: row.digest_id,
    scheduledFor: row.scheduled_for,
    kind: row.kind,
    missed: row.missed,
    request: row.request,
    runBy: row.run_by,
    claimedAt: row.claimed_at,
    ended: row.ended_at && row.outcome && { at: row.ended_at, outcome: row.outcome },
  }
}

const keyOf = ({ digestId, scheduledFor }: DigestRunKey) => ({
  digest_id: digestId,
  scheduled_for: scheduledFor,
})

/** Makes the queries over runs of digests. */
export const makeDigestRuns = (within: Within) => ({
  /** Keeps a run that is to be done. False when its due time, or its click, has one already. */
  insert: async (run: DigestRun, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(RUNS)
      .insert({
        ...keyOf(run),
        kind: run.kind,
        missed: run.missed,
        request: run.request === null ? null : cleanText(run.request),
        claimed_at: run.claimedAt,
        run_by: run.runBy,
      })
      .onConflict()
      .ignore()
      .returning('digest_id')
    return inserted.length === 1
  },

  find: async (key: DigestRunKey, tx?: Tx): Promise<DigestRun | null> => {
    const row: unknown = await within(tx)(RUNS).where(keyOf(key)).first()
    return row === undefined ? null : toRun(row)
  },

  /** The latest that somebody wanted at once; null where there was none. */
  lastByHand: async (digestId: string, tx?: Tx): Promise<DigestRun | null> => {
    const row: unknown = await within(tx)(RUNS)
      .where({ digest_id: digestId, kind: 'by-hand' })
      .orderBy('scheduled_for', 'desc')
      .first()
    return row === undefined ? null : toRun(row)
  },

  /** Keeps what a run sent to the database. */
  keepStatements: async (
    key: DigestRunKey,
    statements: readonly ExecutedStatement[],
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(RUNS)
      .where(keyOf(key))
      .update({ statements: toJsonb(statements) })
  },

  /** What a run sent to the database; null where that was not kept, or the run is gone. */
  findStatements: async (key: DigestRunKey, tx?: Tx): Promise<readonly ExecutedStatement[] | null> => {
    const row: unknown = await within(tx)(RUNS).where(keyOf(key)).first('statements')
    return row === undefined ? null : Statements.parse(row).statements
  },

  /** Runs that were claimed before a time and have not ended, the oldest first. */
  listOpen: async (claimedBefore: Date, most: number, tx?: Tx): Promise<readonly DigestRun[]> => {
    const rows: unknown[] = await within(tx)(RUNS)
      .whereNull('ended_at')
      .where('claimed_at', '<=', claimedBefore)
      .orderBy('claimed_at')
      .limit(most)
    return rows.map(toRun)
  },

  /** The latest of a digest, the newest first. */
  listOf: async (digestId: string, most: number, tx?: Tx): Promise<readonly DigestRun[]> => {
    const rows: unknown[] = await within(tx)(RUNS)
      .where({ digest_id: digestId })
      .orderBy('scheduled_for', 'desc')
      .limit(most)
    return rows.map(toRun)
  },

  /** Marks how a run ended. False when it had ended, or is gone: of two who did it, the first counts. */
  end: async (
    key: DigestRunKey,
    ended: { readonly at: Date; readonly outcome: DigestOutcome },
    tx?: Tx,
  ): Promise<boolean> =>
    (await within(tx)(RUNS)
      .where(keyOf(key))
      .whereNull('ended_at')
      .update({ ended_at: ended.at, outcome: ended.outcome })) === 1,

  /** Deletes runs that ended before a time; how many. */
  purge: async (endedBefore: Date, tx?: Tx): Promise<number> =>
    within(tx)(RUNS).where('ended_at', '<', endedBefore).delete(),
})

const FINDINGS = 'querent.digest_findings'

const FindingRow = z.object({ question_id: z.string(), finding: StoredFinding, found_at: z.date() })

/** What the last run that was told found of one question, and when. */
interface LastFinding {
  readonly finding: DigestFinding
  readonly at: Date
}

/** Makes the queries over what runs of digests found. */
export const makeDigestFindings = (within: Within) => ({
  /** By the id of the digest's question. */
  listOf: async (digestId: string, tx?: Tx): Promise<ReadonlyMap<string, LastFinding>> => {
    const rows: unknown[] = await within(tx)(FINDINGS).where({ digest_id: digestId })
    return new Map(
      rows.map(row => {
        const { question_id: id, finding, found_at: at } = FindingRow.parse(row)
        return [id, { finding, at }]
      }),
    )
  },

  upsert: async (
    digestId: string,
    questionId: string,
    { finding, at }: LastFinding,
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(FINDINGS)
      .insert({
        digest_id: digestId,
        question_id: questionId,
        finding: toJsonb(finding),
        found_at: at,
      })
      .onConflict(['digest_id', 'question_id'])
      .merge()
  },

  remove: async (digestId: string, questionId: string, tx?: Tx): Promise<void> => {
    await within(tx)(FINDINGS).where({ digest_id: digestId, question_id: questionId }).delete()
  },
})

/** Makes the queries over what was posted of runs of digests. */
export const makeDigestMessages = (within: Within) =>
  makePostLog<DigestMessageKey>(within, {
    table: 'querent.digest_messages',
    keyOf: ({ digestId, scheduledFor, step }) => ({
      digest_id: digestId,
      scheduled_for: scheduledFor,
      step,
    }),
  }) satisfies DigestMessageLog
