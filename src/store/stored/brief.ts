import { z } from 'zod'
import type { QuestionContext } from '../../core/brief.ts'
import type { RequestKind } from '../../core/understanding.ts'
import { literalUnion } from './literals.ts'
import { StoredTimeSpan } from './time-span.ts'
import { StoredKeyword } from './trace.ts'

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
    show: z.enum(['chart', 'table']).exactOptional(),
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
