import { z } from 'zod'

/** The shape of a trained selector. Provenance says on what it was trained: those databases are scored with folds. */
export const selectorModelSchema = z.object({
  /** Names the model in the store, in traces and in reports; `shipped` for the one in the package. */
  version: z.string(),
  provenance: z.object({
    databases: z.array(z.string()),
    trainedOn: z.array(z.string()),
    method: z.string(),
    date: z.string(),
  }),
  /** Weight of a feature per unit of `scale`; a feature that is not named weighs nothing. */
  features: z.array(z.object({ name: z.string(), scale: z.number().positive(), weight: z.number() })),
  /** Logit of P(the winner is right) as a linear function of what `measureChoice` measures, the intercept first. */
  calibration: z.array(z.number()).min(1),
})

/** A trained pairwise selector: a linear utility, so P(A beats B) = sigmoid(u(A) - u(B)) is antisymmetric. */
export type SelectorModel = z.output<typeof selectorModelSchema>
