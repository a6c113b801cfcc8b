import { z } from 'zod'
import type { AnswerAlternative, Outcome } from '../../domain/answer.ts'
import type { Clarification, ClarificationOption, ClarificationReply } from '../../domain/clarification.ts'
import type { RuleMeaning } from '../../domain/knowledge.ts'

export const StoredAlternative: z.ZodType<AnswerAlternative> = z.looseObject({
  label: z.string(),
  hint: z.string(),
  candidateId: z.string(),
})

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

const StoredClarification: z.ZodType<Clarification> = z.looseObject({
  question: z.string(),
  options: z.array(StoredOption),
  defaultOption: z.number().int(),
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

export const StoredReply: z.ZodType<ClarificationReply> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('option'),
    number: z.number().int(),
    expired: z.literal(true).exactOptional(),
  }),
  z.looseObject({ kind: z.literal('text'), text: z.string() }),
])
