import { z } from 'zod'
import type { Outcome } from '../../domain/answer.ts'
import type { Candidate } from '../../domain/candidate.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import type { ModelUsage } from '../../domain/operations/usage.ts'
import type { QuestionContext } from '../../domain/question-context.ts'
import type { Trace } from '../../domain/trace.ts'
import { CandidateRow } from '../stored/candidate.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import { StoredOutcome, toStoredOutcome } from '../stored/outcome.ts'
import { StoredQuestionContext, StoredTrace, StoredUsage } from '../stored/trace.ts'
import type { Within } from '../transactions.ts'

const RUNS = 'querent.runs'

/**
 * One graph run of a question. It is `running` until it ends; `abandoned` if its process died or it was stopped,
 * `finished` if it has an outcome.
 */
interface StoredRun {
  readonly id: string
  readonly questionId: string
  readonly status: 'running' | 'finished' | 'abandoned'
  readonly outcome: Outcome | null
  readonly usage: ModelUsage | null
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

const RunRow = z.object({
  id: z.string(),
  question_id: z.string(),
  status: z.enum(['running', 'finished', 'abandoned']),
  outcome: StoredOutcome.nullable(),
  usage: StoredUsage.nullable(),
  started_at: z.date(),
  finished_at: z.date().nullable(),
})

const toRun = (raw: unknown): StoredRun => {
  const row = RunRow.parse(raw)
  return {
    id: row.id,
    questionId: row.question_id,
    status: row.status,
    outcome: row.outcome,
    usage: row.usage,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}

/** Queries on runs. */
export const makeRuns = (within: Within) => ({
  /** Opens a run. A question has one at a time: abandon the last one first. */
  begin: async (id: string, questionId: string, tx?: Tx): Promise<void> => {
    await within(tx)(RUNS).insert({ id, question_id: questionId, status: 'running' })
  },

  /** Abandons the open run of a question, if there is one. */
  abandon: async (questionId: string, tx?: Tx): Promise<void> => {
    await within(tx)(RUNS)
      .where({ question_id: questionId, status: 'running' })
      .update({ status: 'abandoned', finished_at: within(tx).fn.now() })
  },

  /** Finishes the open run of a question with its outcome, and returns its id; null if none is open. */
  finish: async (
    questionId: string,
    outcome: Outcome,
    usage: ModelUsage,
    tx?: Tx,
  ): Promise<string | null> => {
    const [row] = await within(tx)(RUNS)
      .where({ question_id: questionId, status: 'running' })
      .update({
        status: 'finished',
        outcome: toJsonb(toStoredOutcome(outcome)),
        usage: toJsonb(usage),
        finished_at: within(tx).fn.now(),
      })
      .returning('id')
    return row === undefined ? null : z.object({ id: z.string() }).parse(row).id
  },

  /** The runs of a question, oldest first. */
  list: async (questionId: string, tx?: Tx): Promise<readonly StoredRun[]> => {
    const rows: unknown[] = await within(tx)(RUNS)
      .where({ question_id: questionId })
      .orderBy(['started_at', 'id'])
    return rows.map(toRun)
  },
})

const CANDIDATES = 'querent.candidates'

const toRow = (questionId: string, candidate: Candidate) => ({
  question_id: questionId,
  id: candidate.id,
  ...candidate.origin,
  path: candidate.path,
  lineage: candidate.lineage,
  rank: candidate.rank,
  sql: cleanText(candidate.sql),
  prior: candidate.prior,
  decisions: toJsonb(candidate.decisions),
  assumptions: toJsonb(candidate.assumptions),
  unused: candidate.unused && toJsonb(candidate.unused),
  repairs: toJsonb(candidate.repairs),
  run: candidate.run && toJsonb(candidate.run),
  meaning: candidate.meaning ? toJsonb(candidate.meaning) : null,
  named: candidate.named ? toJsonb(candidate.named) : null,
})

/** Queries on candidates. Their ids are unique within a question. */
export const makeCandidates = (within: Within) => ({
  /** Adds candidates, or replaces those with the same ids. */
  upsert: async (questionId: string, candidates: readonly Candidate[], tx?: Tx): Promise<void> => {
    if (candidates.length === 0) return
    // One statement cannot change a row twice; the last candidate of an id counts.
    const last = new Map(candidates.map(candidate => [candidate.id, candidate]))
    await within(tx)(CANDIDATES)
      .insert([...last.values()].map(candidate => toRow(questionId, candidate)))
      .onConflict(['question_id', 'id'])
      .merge()
  },

  /** All candidates of a question, ordered by id. */
  list: async (questionId: string, tx?: Tx): Promise<readonly Candidate[]> => {
    const rows: unknown[] = await within(tx)(CANDIDATES)
      .where({ question_id: questionId })
      // By code unit, as JavaScript compares, whatever the server's locale.
      .orderByRaw('id collate "C"')
    return rows.map(row => CandidateRow.parse(row))
  },
})

const CONTEXTS = 'querent.briefs'

/** Queries on question contexts: what the drafting paths know. */
export const makeQuestionContexts = (within: Within) => ({
  /** Stores the context of a question, replacing an earlier one. */
  upsert: async (questionId: string, context: QuestionContext, tx?: Tx): Promise<void> => {
    await within(tx)(CONTEXTS)
      .insert({ question_id: questionId, brief: toJsonb(context), updated_at: within(tx).fn.now() })
      .onConflict('question_id')
      .merge()
  },

  find: async (questionId: string, tx?: Tx): Promise<QuestionContext | null> => {
    const row: unknown = await within(tx)(CONTEXTS).where({ question_id: questionId }).first('brief')
    return row === undefined ? null : z.object({ brief: StoredQuestionContext }).parse(row).brief
  },
})

const TRACES = 'querent.traces'

/** Queries on traces: how each question was answered. */
export const makeTraces = (within: Within) => ({
  /** Stores the trace of a question, replacing an earlier one, until it expires: it contains rows of results. */
  upsert: async (trace: Trace, expiresAt: Date, tx?: Tx): Promise<void> => {
    await within(tx)(TRACES)
      .insert({
        question_id: trace.questionId,
        trace: toJsonb({ ...trace, outcome: trace.outcome && toStoredOutcome(trace.outcome) }),
        expires_at: expiresAt,
      })
      .onConflict('question_id')
      .merge()
  },

  /** The trace of a question; null if there is none that is valid at `now`. */
  find: async (questionId: string, now: Date, tx?: Tx): Promise<Trace | null> => {
    const row: unknown = await within(tx)(TRACES)
      .where({ question_id: questionId })
      .where('expires_at', '>', now)
      .first('trace')
    return row === undefined ? null : z.object({ trace: StoredTrace }).parse(row).trace
  },

  /** Deletes expired traces; returns how many. */
  purgeExpired: async (now: Date, tx?: Tx): Promise<number> =>
    within(tx)(TRACES).where('expires_at', '<=', now).delete(),
})
