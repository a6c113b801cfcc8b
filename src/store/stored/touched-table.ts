import { z } from 'zod'
import type { ReferencedTable } from '../../core/touched-table.ts'

export const StoredTouchedTable: z.ZodType<ReferencedTable> = z.looseObject({
  schema: z.string().nullable(),
  name: z.string(),
  whole: z.boolean(),
  columns: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  definition: z.string().nullable(),
})
