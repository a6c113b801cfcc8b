import { z } from 'zod'
import type { KnownSchema } from '../../core/known-schema.ts'
import type { ValueKind } from '../../core/result.ts'
import { literals } from './literals.ts'

const StoredKind = literals<ValueKind>({
  integer: true,
  number: true,
  text: true,
  boolean: true,
  date: true,
  timestamp: true,
  time: true,
  json: true,
  blob: true,
  unknown: true,
})

const Side = z.looseObject({ table: z.string(), columns: z.array(z.string()) })

const Column = z.looseObject({
  name: z.string(),
  type: z.string(),
  kind: StoredKind,
  profile: z
    .looseObject({
      nullShare: z.number(),
      distinctCount: z.number(),
      meanLength: z.number(),
      pattern: z.string().nullable(),
    })
    .nullable(),
})

export const StoredKnownSchema: z.ZodType<KnownSchema> = z.looseObject({
  tables: z.array(
    z.looseObject({ schema: z.string().nullable(), name: z.string(), columns: z.array(Column) }),
  ),
  foreignKeys: z.array(z.looseObject({ from: Side, to: Side })),
  others: z.array(z.string()).nullable(),
  result: z
    .looseObject({
      columns: z.array(z.looseObject({ name: z.string(), kind: StoredKind })),
      rows: z.number().int(),
    })
    .nullable(),
})
