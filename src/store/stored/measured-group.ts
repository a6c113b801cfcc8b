import { z } from 'zod'
import type { MeasuredGroup } from '../../core/selector.ts'

/** A measured group as JSON. */
export const StoredMeasuredGroup: z.ZodType<MeasuredGroup> = z.object({
  key: z.string(),
  candidateIds: z.array(z.string()),
  representativeId: z.string(),
  measures: z.record(z.string(), z.number()),
})
