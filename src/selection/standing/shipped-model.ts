import trained from './standing-model.json' with { type: 'json' }
import { type StoppingModel, stoppingModelSchema } from './standing-model.ts'

/**
 * What one more draft costs in the probability of a right answer: about one right answer in three hundred drafts.
 * At this price the mean number of drafts on real candidates is near four; docs/evaluation.md shows the whole curve.
 */
export const costOfDraft = 0.003

/** The model that comes with Querent (`npm run bench:train-standing`). */
export const shippedStoppingModel: StoppingModel = stoppingModelSchema.parse(trained)
