import { z } from 'zod'
import type { LabelledGroups } from '../../core/selector.ts'
import benchmark from './benchmark.json' with { type: 'json' }

const benchmarkSchema = z.array(
  z.object({
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
    right: z.array(z.string()).min(1),
    weight: z.number(),
  }),
)

/**
 * Questions about the sample company, the results that the semantic parser's readings of them had, and which of them are
 * right (`npm run bench:selection-benchmark`). No selector that gets fewer of them right than the champion takes its
 * place.
 */
export const shippedBenchmark: readonly LabelledGroups[] = benchmarkSchema
  .parse(benchmark)
  .map(question => ({ ...question, right: new Set(question.right) }))
