import { z } from 'zod'
import type { BudgetLimit, ModelUsage } from '../../domain/operations/usage.ts'
import type {
  Keyword,
  KeywordSource,
  QuestionContext,
  RequestKind,
  TimeSpan,
  ValueMatch,
} from '../../domain/question-context.ts'
import { strategyNames } from '../../domain/strategies/strategy.ts'
import type { DraftingRoundRecord, Shortfall, Trace } from '../../domain/trace.ts'
import { StoredCannotAnswer, TracedCandidate } from './candidate.ts'
import { literalUnion } from './json.ts'
import { StoredOutcome, StoredReply } from './outcome.ts'

const StoredKeyword: z.ZodType<Keyword> = z.looseObject({
  text: z.string(),
  said: z.string(),
  source: literalUnion<KeywordSource>({
    quoted: true,
    capitalised: true,
    number: true,
    date: true,
    span: true,
    form: true,
    code: true,
    model: true,
  }),
  weight: z.number(),
})

const StoredValue: z.ZodType<ValueMatch> = z.looseObject({
  keyword: z.string(),
  table: z.string(),
  column: z.string(),
  value: z.string(),
  score: z.number(),
  term: z.string().exactOptional(),
})

const StoredRound: z.ZodType<DraftingRoundRecord> = z.looseObject({
  round: z.number().int(),
  wave: z.number().int(),
  drafts: z.array(z.looseObject({ path: z.string(), sample: z.number().int() })),
  probability: z.number(),
  gain: z.number().nullable(),
  reason: z.string(),
  cappedAt: z.number().exactOptional(),
})

const StoredLimit: z.ZodType<BudgetLimit> = z.looseObject({
  of: z.enum(['question', 'role', 'day', 'person', 'channel']),
  unit: z.enum(['calls', 'tokens', 'money', 'seconds']),
  most: z.number(),
})

const StoredShortfall: z.ZodType<Shortfall> = z.looseObject({
  work: z.enum([
    'drafts',
    'further-drafts',
    'queries',
    'repairs',
    'comparisons',
    'examples',
    'keywords',
    'follow-up',
    'headline',
  ]),
  count: z.number(),
  of: z.number().nullable(),
  why: z.enum(['budget-spent', 'model-failed', 'most-drafts', 'query-quota']),
  limit: StoredLimit.nullable(),
})

export const StoredUsage: z.ZodType<ModelUsage> = z.looseObject({
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  money: z.number().nullable().exactOptional(),
  cachedTokens: z.number().exactOptional(),
})

const StoredTimeSpan: z.ZodType<TimeSpan> = z.looseObject({
  phrase: z.string(),
  at: z.tuple([z.number().int(), z.number().int()]),
  from: z.string().nullable(),
  until: z.string().nullable(),
})

export const StoredTrace: z.ZodType<Trace> = z.looseObject({
  questionId: z.string(),
  question: z.string(),
  database: z.string(),
  understanding: z
    .looseObject({
      text: z.string(),
      spans: z.array(StoredTimeSpan),
      today: z.string(),
      timeZone: z.string(),
    })
    .nullable(),
  keywords: z.array(StoredKeyword),
  values: z.array(StoredValue),
  schema: z.array(
    z.looseObject({ table: z.string(), keep: z.union([z.literal('all'), z.array(z.string())]) }),
  ),
  waves: z.array(StoredRound),
  candidates: z.array(TracedCandidate),
  groups: z.array(
    z.looseObject({
      key: z.string(),
      candidateIds: z.array(z.string()),
      representativeId: z.string(),
      score: z.number(),
      reasons: z.array(z.string()).exactOptional(),
      head: z.looseObject({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).nullable(),
    }),
  ),
  comparisons: z
    .array(
      z.looseObject({
        round: z.number().int(),
        first: z.string(),
        second: z.string(),
        winner: z.enum(['first', 'second']),
        by: z.enum(['model', 'scorer', 'probe', 'vote']),
        reason: z.string(),
        lost: z
          .looseObject({ why: z.enum(['budget-spent', 'model-failed']), limit: StoredLimit.nullable() })
          .exactOptional(),
      }),
    )
    .default([]),
  reply: StoredReply.nullable(),
  outcome: StoredOutcome.nullable(),
  // Traces of an earlier version have none.
  cannotAnswer: z.array(StoredCannotAnswer).default([]),
  failures: z.array(z.looseObject({ path: z.string(), sample: z.number().int(), message: z.string() })),
  steps: z.array(
    z.looseObject({
      step: z.string(),
      times: z.number(),
      milliseconds: z.number(),
      longest: z.number(),
      modelCalls: z.number(),
    }),
  ),
  // Traces of an earlier version say nothing of strategies.
  strategy: z.enum(strategyNames).nullable().exactOptional(),
  calls: z
    .array(
      z.looseObject({
        agent: z.string(),
        prompt: z.string(),
        model: z.string().nullable(),
        promptTokens: z.number(),
        completionTokens: z.number(),
        failure: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  usage: StoredUsage,
  leftOut: z.array(z.string()),
  shortfalls: z.array(StoredShortfall).exactOptional(),
})

export const StoredQuestionContext: z.ZodType<QuestionContext> = z.looseObject({
  understanding: z.looseObject({
    kind: literalUnion<RequestKind>({ data: true, meta: true, 'small-talk': true, empty: true }),
    text: z.string(),
    spans: z.array(StoredTimeSpan),
    today: z.string(),
    timeZone: z.string(),
    followUp: z
      .looseObject({
        said: z.string(),
        askedAt: z.string(),
        before: z.string(),
        chain: z.array(z.looseObject({ text: z.string(), askedAt: z.string(), sql: z.string() })),
        confidence: z.number(),
      })
      .exactOptional(),
    rewritten: z.literal(true).exactOptional(),
    previous: z
      .looseObject({ question: z.string(), sql: z.string(), columns: z.array(z.string()) })
      .exactOptional(),
    assumedOption: z.string().exactOptional(),
    show: z.enum(['chart', 'table']).exactOptional(),
    newestRows: z.looseObject({ table: z.string(), rows: z.number() }).nullable().exactOptional(),
  }),
  keywords: z.array(StoredKeyword).exactOptional(),
  matches: z.array(
    z.looseObject({
      keyword: z.string(),
      table: z.string(),
      column: z.string(),
      value: z.string(),
      score: z.number(),
    }),
  ),
  linked: z.looseObject({
    tables: z.array(
      z.looseObject({ table: z.string(), keep: z.union([z.literal('all'), z.array(z.string())]) }),
    ),
  }),
})
