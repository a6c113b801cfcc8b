import { z } from 'zod'
import benchmark from '../../../weights/selection-benchmark.json' with { type: 'json' }
import type { LabeledGroups } from '../../domain/selection/ranking.ts'

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

/** A question that no selector can get right would measure none. */
const decidable = labeledGroupsSchema.refine(({ right }) => right.size > 0, 'no group is right')

/**
 * Questions about the sample company, the results that the semantic parser's readings of them had, and which of them are
 * right (`npm run bench:selection-benchmark`). No selector that gets fewer of them right than the champion takes its
 * place.
 */
export const shippedBenchmark: readonly LabeledGroups[] = z.array(decidable).parse(benchmark)
