import { z } from 'zod'
import type { TimeSpan } from '../../core/understanding.ts'

export const StoredTimeSpan: z.ZodType<TimeSpan> = z.looseObject({
  phrase: z.string(),
  at: z.tuple([z.number().int(), z.number().int()]),
  from: z.string().nullable(),
  until: z.string().nullable(),
})
