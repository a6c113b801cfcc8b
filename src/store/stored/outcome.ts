import { z } from 'zod'
import type { Outcome } from '../../core/answer.ts'
import { StoredClarification } from './clarification.ts'

export const StoredOutcome: z.ZodType<Outcome> = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('answered'),
    candidateId: z.string(),
    resultId: z.string(),
    sql: z.string(),
    confidence: z.number(),
    headline: z.string(),
    assumptions: z.array(z.string()),
  }),
  z.looseObject({ status: z.literal('needs-clarification'), clarification: StoredClarification }),
  z.looseObject({ status: z.literal('refused'), reason: z.string(), nextStep: z.string() }),
  z.looseObject({ status: z.literal('failed'), reason: z.string(), nextStep: z.string() }),
])
