import { z } from 'zod'
import folds from '../../weights/drafting-stop-folds.json' with { type: 'json' }
import { type StoppingModel, shippedStoppingModel, stoppingModelSchema } from './stopping-rule.ts'

const foldsSchema = z.record(z.string(), stoppingModelSchema.pick({ rating: true, going: true }))

const known = foldsSchema.parse(folds)

/**
 * The model as it would be had it never seen a database: for measuring on one that the shipped model was trained with.
 * The shipped model itself for every other database.
 */
export const stoppingModelWithout = (database: string): Pick<StoppingModel, 'rating' | 'going'> =>
  known[database] ?? shippedStoppingModel
