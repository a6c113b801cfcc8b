import { z } from 'zod'
import type { Clarification, ClarificationOption, ClarificationReply } from '../../core/clarification.ts'

export const StoredOption: z.ZodType<ClarificationOption> = z.looseObject({
  label: z.string(),
  hint: z.string(),
  candidateIds: z.array(z.string()),
})

export const StoredClarification: z.ZodType<Clarification> = z.looseObject({
  question: z.string(),
  options: z.array(StoredOption),
  defaultOption: z.number().int(),
})

export const StoredReply: z.ZodType<ClarificationReply> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('option'), number: z.number().int() }),
  z.looseObject({ kind: z.literal('text'), text: z.string() }),
])
