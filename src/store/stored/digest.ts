import { z } from 'zod'
import {
  brandSchedule,
  type DigestCondition,
  type DigestFinding,
  type DigestPause,
  type DigestQuestion,
  type DigestRepair,
  type DigestTarget,
  type ExecutedStatement,
  type ParsedSchedule,
  type RelativeSql,
} from '../../domain/digests/digest.ts'
import type { SchemaSnapshot } from '../../domain/schema-drift.ts'
import { StoredValueKind } from './json.ts'

const StoredStatement: z.ZodType<RelativeSql> = z.looseObject({
  sql: z.string(),
  today: z.string(),
  periods: z.array(
    z.looseObject({
      phrase: z.string(),
      bounds: z.array(
        z.looseObject({
          bound: z.enum(['from', 'until', 'last-day']),
          at: z.tuple([z.number().int(), z.number().int()]),
        }),
      ),
    }),
  ),
})

const Side = z.looseObject({ table: z.string(), columns: z.array(z.string()) })

const Column = z.looseObject({
  name: z.string(),
  type: z.string(),
  kind: StoredValueKind,
  profile: z
    .looseObject({
      nullShare: z.number(),
      distinctCount: z.number(),
      meanLength: z.number(),
      pattern: z.string().nullable(),
    })
    .nullable(),
})

const StoredKnownSchema: z.ZodType<SchemaSnapshot> = z.looseObject({
  tables: z.array(
    z.looseObject({ schema: z.string().nullable(), name: z.string(), columns: z.array(Column) }),
  ),
  foreignKeys: z.array(z.looseObject({ from: Side, to: Side })),
  others: z.array(z.string()).nullable(),
  result: z
    .looseObject({
      columns: z.array(z.looseObject({ name: z.string(), kind: StoredValueKind })),
      rows: z.number().int(),
    })
    .nullable(),
})

export const StoredDigestQuestion: z.ZodType<DigestQuestion> = z.looseObject({
  id: z.string(),
  text: z.string(),
  database: z.string(),
  rights: z.string().nullable().optional(),
  statement: StoredStatement,
  fingerprint: z.string(),
  // What can no longer be read is recorded again at the next run.
  known: StoredKnownSchema.optional().catch(undefined),
})

export const StoredCondition: z.ZodType<DigestCondition> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('always') }),
  z.looseObject({ kind: z.literal('changed') }),
  z.looseObject({ kind: z.literal('above'), value: z.number() }),
  z.looseObject({ kind: z.literal('below'), value: z.number() }),
  z.looseObject({ kind: z.literal('moved'), percent: z.number() }),
])

export const StoredTarget: z.ZodType<DigestTarget> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('channel'), channel: z.string() }),
  z.looseObject({ kind: z.literal('person'), person: z.string() }),
])

const at = z.coerce.date()

export const StoredPause: z.ZodType<DigestPause & { readonly at: Date }> = z.discriminatedUnion('why', [
  z.looseObject({ why: z.literal('by-person'), by: z.string(), at }),
  z.looseObject({ why: z.literal('failed'), reason: z.string(), at }),
  z.looseObject({ why: z.literal('not-allowed'), reason: z.string(), at }),
  z.looseObject({ why: z.literal('schema'), reason: z.string(), at }),
])

export const StoredRepair: z.ZodType<DigestRepair> = z.looseObject({
  questionId: z.string(),
  reason: z.string(),
  statement: StoredStatement.nullable(),
  says: z.array(z.string()).optional(),
  other: z.looseObject({ statement: StoredStatement, says: z.array(z.string()) }).optional(),
  proposedAt: at,
  foundBy: at.optional(),
})

export const StoredStatements: z.ZodType<readonly ExecutedStatement[]> = z.array(
  z.looseObject({ text: z.string(), sql: z.string(), periods: z.array(z.string()) }),
)

export const StoredFinding: z.ZodType<DigestFinding> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('number'), value: z.number() }),
  z.looseObject({
    kind: z.literal('rows'),
    complete: z.boolean(),
    value: z.number().nullable(),
    rows: z.array(z.looseObject({ key: z.string(), row: z.string() })),
  }),
])

/** A stored schedule. It was parsed before it was stored, so it is not parsed again. */
export const storedSchedule = (row: {
  readonly cron: string
  readonly time_zone: string
  readonly schedule_words: string
}): ParsedSchedule => brandSchedule({ cron: row.cron, timeZone: row.time_zone, words: row.schedule_words })
