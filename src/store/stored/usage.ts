import { z } from 'zod'
import type { Usage } from '../../core/usage.ts'

export const StoredUsage: z.ZodType<Usage> = z.looseObject({
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  money: z.number().nullable().exactOptional(),
})
