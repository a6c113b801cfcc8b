import { z } from 'zod'
import type { Clarification, ClarificationOption, ClarificationReply } from '../../core/clarification.ts'
import type { RuleMeaning } from '../../core/proposed-rule.ts'

const StoredMeaning: z.ZodType<RuleMeaning> = z.looseObject({
  phrase: z.string().nullable(),
  meaning: z.string(),
  sql: z.string().nullable(),
  columns: z.array(z.string()),
})

export const StoredOption: z.ZodType<ClarificationOption> = z.looseObject({
  label: z.string(),
  hint: z.string(),
  candidateIds: z.array(z.string()),
  means: StoredMeaning.exactOptional(),
  act: z.enum(['run', 'narrow', 'cancel']).exactOptional(),
})

export const StoredClarification: z.ZodType<Clarification> = z.looseObject({
  question: z.string(),
  options: z.array(StoredOption),
  defaultOption: z.number().int(),
})

export const StoredReply: z.ZodType<ClarificationReply> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('option'),
    number: z.number().int(),
    expired: z.literal(true).exactOptional(),
  }),
  z.looseObject({ kind: z.literal('text'), text: z.string() }),
])
