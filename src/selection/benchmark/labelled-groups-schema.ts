import { z } from 'zod'
import type { LabeledGroups } from '../../core/selector.ts'

/** The groups of one question and which of them are right, as files keep them: `right` as a list of keys. */
export const labeledGroupsSchema = z
  .object({
    id: z.string(),
    database: z.string(),
    groups: z.array(
      z.object({
        key: z.string(),
        candidateIds: z.array(z.string()),
        representativeId: z.string(),
        measures: z.record(z.string(), z.number()),
      }),
    ),
    right: z.array(z.string()),
    weight: z.number(),
  })
  .transform(({ right, ...rest }): LabeledGroups => ({ ...rest, right: new Set(right) }))
