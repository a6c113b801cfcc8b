import { describe, expect, it } from 'vitest'
import { familyOf, reasonOf } from '../../../src/ranking/features/feature-reasons.ts'
import { measureChoice } from '../../../src/ranking/selector/rank-groups.ts'
import { manualFeatures, selectorModelSchema } from '../../../src/ranking/selector/selector-model.ts'
import {
  databaseFamily,
  selectorWithout,
  shippedSelector,
} from '../../../src/ranking/selector/shipped-selector.ts'
import trained from '../../../weights/selector.json' with { type: 'json' }
import folds from '../../../weights/selector-folds.json' with { type: 'json' }

describe('the shipped selector', () => {
  it('can be read, and says where it comes from', () => {
    expect(selectorModelSchema.parse(shippedSelector)).toEqual(shippedSelector)
    expect(shippedSelector.version).toBe('shipped')
    expect(shippedSelector.provenance.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('knows only features that this version measures and can say in words, each once', () => {
    const names = shippedSelector.features.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) {
      expect(reasonOf(name), name).not.toBeNull()
      expect(familyOf(name), name).not.toBeNull()
    }
  })

  const byHand = new Set(manualFeatures.map(({ name }) => name))
  const learned = trained.features.filter(({ name }) => !byHand.has(name))

  it('has a fold for each of its databases, of the same length', () => {
    const choice = measureChoice([{ utility: 0, candidates: 1, measures: {} }])
    expect(Object.keys(folds).sort()).toEqual([...shippedSelector.provenance.databases].sort())
    for (const { weights, calibration } of Object.values<{ weights: number[]; calibration: number[] }>(
      folds,
    )) {
      expect(weights).toHaveLength(learned.length)
      expect(calibration.length).toBeLessThanOrEqual(1 + choice.length)
    }
  })

  it('is itself for a database that it never saw, and for one that it did the fold of its family', () => {
    expect(selectorWithout('a database of somebody')).toBe(shippedSelector)
    const families = new Map(Object.entries<{ weights: number[]; calibration: number[] }>(folds))
    for (const database of [...families.keys(), ...[...families.keys()].map(name => `new_${name}`)]) {
      const { weights, calibration } = families.get(databaseFamily(database))!
      const without = selectorWithout(database)
      expect(without.features.map(({ weight }) => weight)).toEqual([
        ...weights,
        // What was set by hand is the same without any database.
        ...shippedSelector.features.slice(weights.length).map(({ weight }) => weight),
      ])
      expect(without.features.map(({ name }) => name)).toEqual(
        shippedSelector.features.map(({ name }) => name),
      )
      expect(without.calibration).toEqual(calibration)
    }
  })

  it('is the shipped one also for names that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(selectorWithout(name)).toBe(shippedSelector)
  })
})
