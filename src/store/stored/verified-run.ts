import { z } from 'zod'
import type { VerifiedRun } from '../../core/verified-recheck.ts'

const at = z.coerce.date()

export const StoredVerifiedRun: z.ZodType<VerifiedRun> = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('ran'),
    at,
    rowCount: z.number().int(),
    resultHash: z.string().nullable(),
  }),
  z.looseObject({ status: z.literal('broken'), at, reason: z.string() }),
  z.looseObject({ status: z.literal('too-heavy'), at, heavySince: at.optional(), reason: z.string() }),
  z.looseObject({ status: z.literal('unreachable'), at, heavySince: at.optional(), reason: z.string() }),
])
