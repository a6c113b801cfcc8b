import { z } from 'zod'

/** A multinomial model: one row of weights per cue, one number per class. A cue that is not there weighs nothing. */
const classWeights = z
  .object({
    classes: z.array(z.string()).min(2),
    intercepts: z.array(z.number()),
    cues: z.record(z.string(), z.array(z.number())),
  })
  .refine(
    ({ classes, intercepts, cues }) =>
      [intercepts, ...Object.values(cues)].every(row => row.length === classes.length),
    'a row has not one weight per class',
  )

/** The shape of the trained file (`npm run train:shape-prior`): weights alone, no question and no SQL. */
export const shapePriorModelSchema = z.object({
  provenance: z.object({
    trainedOn: z.array(z.string()),
    licence: z.string(),
    method: z.string(),
    date: z.string(),
  }),
  /** By the name of a fact of a query's shape. */
  facts: z.record(z.string(), classWeights),
  /** Whether a column is shown `plain`, `aggregated` or not at all. */
  columns: classWeights,
  /** Logit that one item stands before another, by the cue that says so. */
  order: z.record(z.string(), z.number()),
})

/** What questions with known SQL taught. */
export type ShapePriorModel = z.output<typeof shapePriorModelSchema>

/** The weights of one multinomial model. */
export type ClassWeights = z.output<typeof classWeights>

/** Natural logarithm of the probability of each class, in the order of the model's classes. */
export const classLogLikelihoods = (
  { classes, intercepts, cues: weights }: ClassWeights,
  cues: readonly string[],
): readonly number[] => {
  const scores = [...intercepts]
  for (const cue of cues) {
    // A cue may be called like something every object has.
    const row = Object.hasOwn(weights, cue) ? weights[cue] : undefined
    if (row !== undefined) for (let k = 0; k < classes.length; k++) scores[k]! += row[k]!
  }
  const most = Math.max(...scores)
  const norm = most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0))
  return scores.map(score => score - norm)
}
