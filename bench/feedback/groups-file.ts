import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { LabelledGroups } from '../../src/core/selector.ts'

const lineSchema = z.object({
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

/** Labelled groups as JSON lines {id, database, groups, right, weight}. */
export const readGroupsFile = (path: string): readonly LabelledGroups[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const { right, ...rest } = lineSchema.parse(JSON.parse(line))
      return { ...rest, right: new Set(right) }
    })
