import { z } from 'zod'
import type { VerifiedSlot } from '../../core/verified-query.ts'

const slotRange = z.tuple([z.number().int(), z.number().int()])

export const StoredSlot: z.ZodType<VerifiedSlot> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('value'),
    at: slotRange,
    table: z.string(),
    column: z.string(),
    value: z.string(),
  }),
  z.looseObject({ kind: z.literal('number'), at: slotRange, value: z.number() }),
  z.looseObject({
    kind: z.literal('period'),
    at: slotRange,
    from: z.string().nullable(),
    until: z.string().nullable(),
  }),
])
