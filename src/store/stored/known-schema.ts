import { z } from 'zod'
import type { SchemaSnapshot } from '../../core/known-schema.ts'
import { StoredValueKind } from './value-kind.ts'

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

export const StoredKnownSchema: z.ZodType<SchemaSnapshot> = z.looseObject({
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
