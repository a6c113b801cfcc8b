import { z } from 'zod'
import type { AnswerAlternative, Outcome } from '../../core/answer.ts'
import { StoredClarification } from './clarification.ts'

export const StoredAlternative: z.ZodType<AnswerAlternative> = z.looseObject({
  label: z.string(),
  hint: z.string(),
  candidateId: z.string(),
})

export const StoredOutcome: z.ZodType<Outcome> = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('answered'),
    candidateId: z.string(),
    resultId: z.string(),
    sql: z.string(),
    confidence: z.number(),
    headline: z.string(),
    assumptions: z.array(z.string()),
    alternatives: z.array(StoredAlternative).exactOptional(),
    show: z.enum(['chart', 'table']).exactOptional(),
    cached: z.looseObject({ from: z.string(), readAt: z.string() }).exactOptional(),
  }),
  z.looseObject({ status: z.literal('needs-clarification'), clarification: StoredClarification }),
  z.looseObject({
    status: z.literal('refused'),
    reason: z.string(),
    nextStep: z.string(),
    missing: z.array(z.string()).exactOptional(),
    nearest: z.array(z.string()).exactOptional(),
    whoToAsk: z.string().exactOptional(),
  }),
  z.looseObject({ status: z.literal('failed'), reason: z.string(), nextStep: z.string() }),
])
