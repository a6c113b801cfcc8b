import { z } from 'zod'
import type { VerifiedSlot } from '../../core/verified-query.ts'

const at = z.tuple([z.number().int(), z.number().int()])

export const StoredSlot: z.ZodType<VerifiedSlot> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('value'),
    at,
    table: z.string(),
    column: z.string(),
    value: z.string(),
  }),
  z.looseObject({ kind: z.literal('number'), at, value: z.number() }),
  z.looseObject({
    kind: z.literal('period'),
    at,
    from: z.string().nullable(),
    until: z.string().nullable(),
  }),
])
