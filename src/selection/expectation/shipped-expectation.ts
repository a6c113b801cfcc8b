import trained from './expectation-model.json' with { type: 'json' }
import { type ExpectationModel, expectationModelSchema } from './expectation-model.ts'

/** The model that comes with Querent (`npm run bench:train-expectation`). */
export const shippedExpectation: ExpectationModel = expectationModelSchema.parse(trained)
