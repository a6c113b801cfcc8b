import { z } from 'zod'
import { standingModel } from './shipped-model.ts'
import folds from './standing-folds.json' with { type: 'json' }
import { type StandingModel, standingModelSchema } from './standing-model.ts'

const foldsSchema = z.record(z.string(), standingModelSchema.pick({ rating: true, going: true }))

const known = foldsSchema.parse(folds)

/**
 * The model as it would be had it never seen a database: for measuring on one that the shipped model was trained with.
 * The shipped model itself for every other database.
 */
export const standingModelWithout = (database: string): Pick<StandingModel, 'rating' | 'going'> =>
  known[database] ?? standingModel
