import { z } from 'zod'
import type { Outcome } from '../../core/answer.ts'
import type { Tx } from '../../core/tx.ts'
import type { ModelUsage } from '../../core/usage.ts'
import { StoredOutcome } from '../stored/outcome.ts'
import { StoredUsage } from '../stored/usage.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const RUNS = 'querent.runs'

/**
 * One execution of the graph for a question. It is `running` until it ends; `abandoned` when its process died or it
 * was stopped, `finished` when it came to an outcome.
 */
export interface StoredRun {
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

/** Makes the queries over runs. */
export const makeRuns = (within: Within) => ({
  /** Opens a run. A question has one at a time: abandon the last one first. */
  begin: async (id: string, questionId: string, tx?: Tx): Promise<void> => {
    await within(tx)(RUNS).insert({ id, question_id: questionId, status: 'running' })
  },

  /** Closes the run of a question that was left open, if there is one. */
  abandon: async (questionId: string, tx?: Tx): Promise<void> => {
    await within(tx)(RUNS)
      .where({ question_id: questionId, status: 'running' })
      .update({ status: 'abandoned', finished_at: within(tx).fn.now() })
  },

  /** Closes the open run of a question with its outcome, and returns its id; null when none is open. */
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
        outcome: toJsonb(outcome),
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
