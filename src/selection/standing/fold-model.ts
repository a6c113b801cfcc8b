import { z } from 'zod'
import { shippedStoppingModel } from './shipped-model.ts'
import folds from './standing-folds.json' with { type: 'json' }
import { type StoppingModel, stoppingModelSchema } from './standing-model.ts'

const foldsSchema = z.record(z.string(), stoppingModelSchema.pick({ rating: true, going: true }))

const known = foldsSchema.parse(folds)

/**
 * The model as it would be had it never seen a database: for measuring on one that the shipped model was trained with.
 * The shipped model itself for every other database.
 */
export const stoppingModelWithout = (database: string): Pick<StoppingModel, 'rating' | 'going'> =>
  known[database] ?? shippedStoppingModel
