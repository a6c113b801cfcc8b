import type { SelectorModel } from './selector-model.ts'

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
    why: 'No training pool has verified queries. A statement that is built like one that a person stands for, for a question like this one, has twice the odds of one that shares nothing with it, and no more: it may still be about another value, period or column.',
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
