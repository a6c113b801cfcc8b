import { z } from 'zod'
import type { LabeledGroups } from '../../core/selector.ts'
import benchmark from './benchmark.json' with { type: 'json' }
import { labeledGroupsSchema } from './labelled-groups-schema.ts'

/** A question that no selector can get right would measure none. */
const decidable = labeledGroupsSchema.refine(({ right }) => right.size > 0, 'no group is right')

/**
 * Questions about the sample company, the results that the semantic parser's readings of them had, and which of them are
 * right (`npm run bench:selection-benchmark`). No selector that gets fewer of them right than the champion takes its
 * place.
 */
export const shippedBenchmark: readonly LabeledGroups[] = z.array(decidable).parse(benchmark)
