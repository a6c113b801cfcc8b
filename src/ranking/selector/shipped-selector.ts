import trained from '../../../weights/selector.json' with { type: 'json' }
import folds from '../../../weights/selector-folds.json' with { type: 'json' }
import { type SelectorModel, selectorModelSchema, withManualFeatures } from './selector-model.ts'

/** The selector that comes with Querent (`querent train selector`), and what was set by hand beside it. */
export const shippedSelector: SelectorModel = withManualFeatures(selectorModelSchema.parse(trained))

/** Weights in the order of the shipped features, by the database that they were trained without. */
type Fold = { readonly weights: readonly number[]; readonly calibration: readonly number[] }

/** A map, because a database may have any name, `constructor` too. */
const foldOf: ReadonlyMap<string, Fold> = new Map(Object.entries<Fold>(folds))

/** The shipped selector as it would be had it not seen a database; the shipped one for a database it never saw. */
export const selectorWithout = (database: string): SelectorModel => {
  const fold = foldOf.get(databaseFamily(database))
  return fold === undefined
    ? shippedSelector
    : {
        ...shippedSelector,
        features: shippedSelector.features.map((feature, at) => ({
          ...feature,
          // What was set by hand comes last, and is the same in all folds.
          weight: fold.weights[at] ?? feature.weight,
        })),
        calibration: [...fold.calibration],
      }
}

/**
 * Databases that must be held out together: `new_X` is `X` with other rows (Spider-DK), so a selector that has seen one
 * has seen the answers of both.
 */
export const databaseFamily = (name: string): string => name.replace(/^new_/, '')
