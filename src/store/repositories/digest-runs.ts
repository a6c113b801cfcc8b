import { z } from 'zod'
import type {
  DigestFinding,
  DigestMessageKey,
  DigestOutcome,
  DigestRun,
  DigestRunKey,
  ExecutedStatement,
} from '../../domain/digests/digest.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { StoredFinding, StoredStatements } from '../stored/digest.ts'
import { cleanText, literalUnion, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'
import { makePostLog, type PostedStep, toPostedStep } from './messages.ts'

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

/** Queries on digest runs. */
export const makeDigestRuns = (within: Within) => ({
  /** Stores a run to be done. False if its due time or click already has one. */
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

  /** The latest manual run; null if there is none. */
  lastByHand: async (digestId: string, tx?: Tx): Promise<DigestRun | null> => {
    const row: unknown = await within(tx)(RUNS)
      .where({ digest_id: digestId, kind: 'by-hand' })
      .orderBy('scheduled_for', 'desc')
      .first()
    return row === undefined ? null : toRun(row)
  },

  /** Stores the statements of a run. */
  storeStatements: async (
    key: DigestRunKey,
    statements: readonly ExecutedStatement[],
    tx?: Tx,
  ): Promise<void> => {
    await within(tx)(RUNS)
      .where(keyOf(key))
      .update({ statements: toJsonb(statements) })
  },

  /** The statements of a run; null if they were not stored, or the run is gone. */
  findStatements: async (key: DigestRunKey, tx?: Tx): Promise<readonly ExecutedStatement[] | null> => {
    const row: unknown = await within(tx)(RUNS).where(keyOf(key)).first('statements')
    return row === undefined ? null : Statements.parse(row).statements
  },

  /** Unfinished runs claimed before a time, oldest first. */
  listOpen: async (claimedBefore: Date, most: number, tx?: Tx): Promise<readonly DigestRun[]> => {
    const rows: unknown[] = await within(tx)(RUNS)
      .whereNull('ended_at')
      .where('claimed_at', '<=', claimedBefore)
      .orderBy('claimed_at')
      .limit(most)
    return rows.map(toRun)
  },

  /** The latest runs of a digest, newest first. */
  listOf: async (digestId: string, most: number, tx?: Tx): Promise<readonly DigestRun[]> => {
    const rows: unknown[] = await within(tx)(RUNS)
      .where({ digest_id: digestId })
      .orderBy('scheduled_for', 'desc')
      .limit(most)
    return rows.map(toRun)
  },

  /** Records how a run ended. False if it had ended or is gone: the first of two ends counts. */
  end: async (
    key: DigestRunKey,
    ended: { readonly at: Date; readonly outcome: DigestOutcome },
    tx?: Tx,
  ): Promise<boolean> =>
    (await within(tx)(RUNS)
      .where(keyOf(key))
      .whereNull('ended_at')
      .update({ ended_at: ended.at, outcome: ended.outcome })) === 1,

  /** Deletes runs that ended before a time; returns how many. */
  purge: async (endedBefore: Date, tx?: Tx): Promise<number> =>
    within(tx)(RUNS).where('ended_at', '<', endedBefore).delete(),
})

const FINDINGS = 'querent.digest_findings'

const FindingRow = z.object({ question_id: z.string(), finding: StoredFinding, found_at: z.date() })

/** The finding of one question in the last posted run, and when. */
interface LastFinding {
  readonly finding: DigestFinding
  readonly at: Date
}

/** Queries on the findings of digest runs. */
export const makeDigestFindings = (within: Within) => ({
  /** By digest question id. */
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

const MESSAGES = 'querent.digest_messages'

const PostedRun = z.object({ digest_id: z.string(), scheduled_for: z.date() })

/** Queries on messages about digest runs. */
export const makeDigestMessages = (within: Within) => ({
  ...makePostLog<DigestMessageKey>(within, {
    table: MESSAGES,
    keyOf: ({ digestId, scheduledFor, step }) => ({
      digest_id: digestId,
      scheduled_for: scheduledFor,
      step,
    }),
  }),

  /** The posted messages of a run. */
  list: async (run: DigestRunKey, tx?: Tx): Promise<readonly PostedStep[]> => {
    const rows: unknown[] = await within(tx)(MESSAGES).where(keyOf(run)).whereNotNull('ts')
    return rows.map(toPostedStep)
  },

  /** The runs of a workspace's digests that were posted in a channel. */
  listIn: async (
    { team, channel }: { readonly team: string; readonly channel: string },
    tx?: Tx,
  ): Promise<readonly DigestRunKey[]> => {
    const rows: unknown[] = await within(tx)(`${MESSAGES} as message`)
      .join('querent.digests as digest', 'digest.id', 'message.digest_id')
      .where({ 'digest.team': team, 'message.channel': channel, 'message.step': 'post' })
      .whereNotNull('message.ts')
      .select('message.digest_id', 'message.scheduled_for')
    return rows.map(row => {
      const { digest_id: digestId, scheduled_for: scheduledFor } = PostedRun.parse(row)
      return { digestId, scheduledFor }
    })
  },
})
