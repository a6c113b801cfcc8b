import { z } from 'zod'
import type { Candidate } from '../../core/candidate.ts'
import type { Tx } from '../../core/tx.ts'
import { candidateShape } from '../stored/candidate.ts'
import { cleanText, toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const CANDIDATES = 'querent.candidates'

const CandidateRow: z.ZodType<Candidate> = z.object(candidateShape)

const toRow = (questionId: string, candidate: Candidate) => ({
  question_id: questionId,
  id: candidate.id,
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
})

/** Makes the queries over candidates. Their ids are unique within a question. */
export const makeCandidates = (within: Within) => ({
  /** Adds candidates, or replaces those of the same ids. */
  upsert: async (questionId: string, candidates: readonly Candidate[], tx?: Tx): Promise<void> => {
    if (candidates.length === 0) return
    // One statement cannot touch a row twice; of two candidates with one id the last counts.
    const last = new Map(candidates.map(candidate => [candidate.id, candidate]))
    await within(tx)(CANDIDATES)
      .insert([...last.values()].map(candidate => toRow(questionId, candidate)))
      .onConflict(['question_id', 'id'])
      .merge()
  },

  /** All candidates of a question in the order of their ids. */
  list: async (questionId: string, tx?: Tx): Promise<readonly Candidate[]> => {
    const rows: unknown[] = await within(tx)(CANDIDATES)
      .where({ question_id: questionId })
      // By code unit, as JavaScript compares, whatever the server's locale.
      .orderByRaw('id collate "C"')
    return rows.map(row => CandidateRow.parse(row))
  },
})
