import { z } from 'zod'
import type { ModelUsage } from '../../core/usage.ts'

export const StoredUsage: z.ZodType<ModelUsage> = z.looseObject({
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  money: z.number().nullable().exactOptional(),
})
