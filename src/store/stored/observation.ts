import { z } from 'zod'
import type { CandidateObservation } from '../../core/observation.ts'

const hashes = z.array(z.string())

/** What a selector keeps of a candidate, as the store has it. */
export const StoredObservation: z.ZodType<CandidateObservation> = z.object({
  measures: z.record(z.string(), z.number()),
  parts: z.object({
    table: hashes,
    column: hashes,
    clause: hashes,
    literal: hashes,
    skeleton: hashes,
  }),
  sketch: z.object({ rows: hashes, columns: hashes, cells: hashes }),
  columnOrder: z.number(),
})
