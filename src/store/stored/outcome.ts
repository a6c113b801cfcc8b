import { z } from 'zod'
import {
  type AnswerAlternative,
  type FailureReason,
  type Outcome,
  type RefusalReason,
  writtenReason,
} from '../../domain/answer.ts'
import { type UnansweredText, unansweredText } from '../../domain/answer-wording/unanswered.ts'
import type { Clarification, ClarificationOption, ClarificationReply } from '../../domain/clarification.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { ChangeProblem } from '../../domain/interpretation.ts'
import type { RuleMeaning } from '../../domain/knowledge.ts'
import { literalUnion } from './json.ts'

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

const StoredTables = z.looseObject({ named: z.array(z.string()), count: z.number() })

const StoredChangeProblem: z.ZodType<ChangeProblem> = z.discriminatedUnion('code', [
  z.looseObject({
    code: z.enum([
      ...['asks-why', 'nothing-to-count', 'nothing-to-list', 'nothing-to-sort', 'made-otherwise'],
      ...['no-number', 'not-additive', 'number-not-named', 'no-date', 'not-comparable', 'unclear'],
    ] as const),
  }),
  z.looseObject({
    code: z.literal('only-counts'),
    measure: z.enum(['avg', 'sum', 'max', 'min', 'count']),
  }),
  z.looseObject({ code: z.literal('unknown-words'), words: z.array(z.string()) }),
  z.looseObject({ code: z.literal('unknown-number'), words: z.string() }),
])

const StoredRefusalReason: z.ZodType<RefusalReason> = z.discriminatedUnion('code', [
  z.looseObject({ code: z.literal('too-long'), mostCharacters: z.number() }),
  z.looseObject({ code: z.literal('no-question'), database: z.string(), tables: StoredTables }),
  z.looseObject({ code: z.literal('thanks') }),
  z.looseObject({ code: z.literal('greeting'), database: z.string() }),
  z.looseObject({ code: z.literal('no-request') }),
  z.looseObject({ code: z.literal('about-bot'), database: z.string() }),
  z.looseObject({ code: z.literal('about-database'), database: z.string(), tables: StoredTables }),
  z.looseObject({
    code: z.literal('impossible-change'),
    problem: StoredChangeProblem,
    hasExamples: z.boolean(),
  }),
  z.looseObject({ code: z.literal('unknown-words'), words: z.array(z.string()) }),
  z.looseObject({ code: z.literal('ignored-words'), words: z.array(z.string()) }),
  z.looseObject({ code: z.literal('off-topic') }),
  z.looseObject({ code: z.literal('beyond-data'), asks: z.enum(['forecast', 'cause', 'opinion']) }),
  z.looseObject({ code: z.literal('nothing-drafted') }),
  z.looseObject({ code: z.literal('cannot-answer'), reason: z.string().nullable() }),
  z.looseObject({ code: z.literal('all-failed'), message: z.string(), isTimeout: z.boolean() }),
  z.looseObject({ code: z.literal('unsure'), confidence: z.number() }),
  z.looseObject({ code: z.literal('over-budget'), message: z.string() }),
  z.looseObject({ code: z.literal('database-unreachable') }),
  z.looseObject({ code: z.literal('not-run'), isExpired: z.boolean() }),
  z.looseObject({
    code: z.literal('narrower'),
    offered: z.array(z.looseObject({ question: z.string(), rows: z.number() })),
  }),
  z.looseObject({ code: z.literal('still-expensive'), message: z.string().nullable() }),
  z.looseObject({ code: z.literal('written'), reason: z.string(), nextStep: z.string() }),
])

const StoredErrorCode = literalUnion<ErrorCode>({
  'bad-arguments': true,
  'bad-configuration': true,
  'unknown-database': true,
  'unknown-rights': true,
  'database-unreachable': true,
  'database-error': true,
  'store-unavailable': true,
  'model-failed': true,
  'budget-spent': true,
  'not-installed': true,
  cancelled: true,
  internal: true,
})

const StoredFailureReason: z.ZodType<FailureReason> = z.discriminatedUnion('code', [
  z.looseObject({ code: z.literal('error'), error: StoredErrorCode, message: z.string() }),
  z.looseObject({ code: z.literal('unexpected') }),
  z.looseObject({ code: z.literal('written'), reason: z.string(), nextStep: z.string() }),
])

/** An outcome as it was stored. Old rows, and codes of a later version, are shown by the sentences beside the code. */
export const StoredOutcome: z.ZodType<Outcome> = z
  .discriminatedUnion('status', [
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
      drafted: z.looseObject({ sql: z.string(), resultId: z.string() }).exactOptional(),
    }),
    z.looseObject({ status: z.literal('needs-clarification'), clarification: StoredClarification }),
    z.looseObject({
      status: z.literal('refused'),
      why: StoredRefusalReason.optional().catch(undefined),
      reason: z.string(),
      nextStep: z.string(),
      modelFailure: z.enum(['budget-spent', 'unreachable']).exactOptional(),
      missing: z.array(z.string()).exactOptional(),
      nearest: z.array(z.string()).exactOptional(),
      whoToAsk: z.string().exactOptional(),
    }),
    z.looseObject({
      status: z.literal('failed'),
      why: StoredFailureReason.optional().catch(undefined),
      reason: z.string(),
      nextStep: z.string(),
    }),
  ])
  .transform((stored): Outcome => {
    switch (stored.status) {
      case 'answered':
      case 'needs-clarification':
        return stored
      case 'refused': {
        const { why, reason, nextStep, ...rest } = stored
        if (why !== undefined) return { ...rest, status: 'refused', why }
        // The sentences say already that no model helped.
        const { modelFailure: _, ...help } = rest
        return { ...help, status: 'refused', why: writtenReason({ reason, nextStep }) }
      }
      case 'failed': {
        const { why, reason, nextStep, ...rest } = stored
        return { ...rest, status: 'failed', why: why ?? writtenReason({ reason, nextStep }) }
      }
      default: {
        const never: never = stored
        return never
      }
    }
  })

/** An outcome as it is stored: a reason's code with the sentences, which queries and earlier versions read. */
export const toStoredOutcome = (outcome: Outcome): Outcome | (Outcome & UnansweredText) =>
  outcome.status === 'refused' || outcome.status === 'failed'
    ? { ...outcome, ...unansweredText(outcome) }
    : outcome

export const StoredReply: z.ZodType<ClarificationReply> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('option'),
    number: z.number().int(),
    expired: z.literal(true).exactOptional(),
  }),
  z.looseObject({ kind: z.literal('text'), text: z.string() }),
])
