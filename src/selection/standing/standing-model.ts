import { z } from 'zod'
import { tallyMeasureNames } from './measure-standing.ts'

/** Weights over the measures of a standing, the intercept first. */
const weights = z.array(z.number()).length(tallyMeasureNames.length + 1)

/** The shape of a trained file. Provenance says on what it was trained: those databases are scored with folds. */
export const stoppingModelSchema = z.object({
  provenance: z.object({
    databases: z.array(z.string()),
    trainedOn: z.array(z.string()),
    method: z.string(),
    date: z.string(),
  }),
  measures: z
    .array(z.string())
    .refine(names => names.join() === tallyMeasureNames.join(), 'made for other measures'),
  /** Logit of the probability that the leader is right. */
  rating: weights,
  /** Expected gain of going on after 1, 2, 3 ... candidates, the costs taken off. */
  going: z.array(weights).min(1),
})

/** A trained model of standings: how sure to be, and when to stop. */
export type StoppingModel = z.output<typeof stoppingModelSchema>
