import { z } from 'zod'
import type { Trace } from '../../core/trace.ts'
import type { Tx } from '../../core/tx.ts'
import { StoredTrace } from '../stored/trace.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TRACES = 'querent.traces'

/** Makes the queries over traces: how each question was worked on. */
export const makeTraces = (within: Within) => ({
  /** Keeps the trace of a question over an earlier one, until it expires: it has rows of results in it. */
  upsert: async (trace: Trace, expiresAt: Date, tx?: Tx): Promise<void> => {
    await within(tx)(TRACES)
      .insert({ question_id: trace.questionId, trace: toJsonb(trace), expires_at: expiresAt })
      .onConflict('question_id')
      .merge()
  },

  /** The trace of a question; null when there is none that has not expired by `now`. */
  find: async (questionId: string, now: Date, tx?: Tx): Promise<Trace | null> => {
    const row: unknown = await within(tx)(TRACES)
      .where({ question_id: questionId })
      .where('expires_at', '>', now)
      .first('trace')
    return row === undefined ? null : z.object({ trace: StoredTrace }).parse(row).trace
  },

  /** Deletes what has expired by `now`, and returns how many traces that were. */
  purgeExpired: async (now: Date, tx?: Tx): Promise<number> =>
    within(tx)(TRACES).where('expires_at', '<=', now).delete(),
})
