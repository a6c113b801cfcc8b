import trained from './expectation-model.json' with { type: 'json' }
import { type ShapePriorModel, shapePriorModelSchema } from './expectation-model.ts'

/** The model that comes with Querent (`npm run bench:train-expectation`). */
export const shippedShapePrior: ShapePriorModel = shapePriorModelSchema.parse(trained)
