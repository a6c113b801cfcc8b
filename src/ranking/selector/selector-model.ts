import { z } from 'zod'
import {
  type ComparePair,
  currentFeatureName,
  type FeedbackShift,
  type MeasuredGroup,
} from '../../domain/selection/ranking.ts'

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
  features: z.array(
    z.object({
      name: z.string().transform(currentFeatureName),
      scale: z.number().positive(),
      weight: z.number(),
    }),
  ),
  /** Logit of P(the winner is right) as a linear function of what `measureChoice` measures, the intercept first. */
  calibration: z.array(z.number()).min(1),
})

/** A trained pairwise selector: a linear utility, so P(A beats B) = sigmoid(u(A) - u(B)) is antisymmetric. */
export type SelectorModel = z.output<typeof selectorModelSchema>

/** A feature whose weight was set by hand, because no candidates that a selector is trained on have it. */
interface ManualFeature {
  readonly name: string
  readonly scale: number
  /** Logits per unit of `scale`. */
  readonly weight: number
  readonly why: string
}

/** What training cannot weigh. Votes move these weights like any other. */
export const manualFeatures: readonly ManualFeature[] = [
  {
    name: 'verified-likeness',
    scale: 1,
    weight: 0.7,
    why: 'No training pool has verified queries. A statement built like a verified one, for a question like this one, gets twice the odds of one that shares nothing with it. Not more: it may still be about another value, period or column.',
  },
  {
    name: 'layer-term-unread',
    scale: 1,
    weight: -1,
    why: 'No training pool has terms that a team defined. A statement that does not read what such a term is made of answers with a meaning of its own. A third of the odds: the word may also stand in the question for something else.',
  },
]

/** The model with what was set by hand, where it says nothing of it by itself; what it names stays as it is. */
export const withManualFeatures = (model: SelectorModel): SelectorModel => {
  const named = new Set(model.features.map(({ name }) => name))
  const missing = manualFeatures
    .filter(({ name }) => !named.has(name))
    .map(({ name, scale, weight }) => ({ name, scale, weight }))
  return missing.length === 0 ? model : { ...model, features: [...model.features, ...missing] }
}

/** The part that each feature of a model adds to a group's utility, in the model's order. */
export const contributions = (
  { measures }: MeasuredGroup,
  { features }: Pick<SelectorModel, 'features'>,
): readonly number[] => features.map(({ name, scale, weight }) => ((measures[name] ?? 0) / scale) * weight)

/** How good a group is, in logits: only differences within a question mean anything. */
export const utilityOf = (group: MeasuredGroup, model: Pick<SelectorModel, 'features'>): number =>
  contributions(group, model).reduce((sum, part) => sum + part, 0)

/**
 * Makes the comparison of two groups. A linear utility makes it antisymmetric by construction (Bradley and Terry 1952),
 * so asking in both orders, as a model judge must be (CHASE-SQL 3.5), is never needed.
 */
export const makeComparePair =
  (model: Pick<SelectorModel, 'features'>): ComparePair =>
  (first, second) =>
    1 / (1 + Math.exp(utilityOf(second, model) - utilityOf(first, model)))

/** Makes the part of a group's utility that a model has from votes: all that it says beyond the shipped one. */
export const makeFeedbackShift =
  (model: Pick<SelectorModel, 'features'>, shipped: Pick<SelectorModel, 'features'>): FeedbackShift =>
  group =>
    utilityOf(group, model) - utilityOf(group, shipped)
