import { expect, test } from 'vitest'
import { fitMultinomial } from '../../../training/shape-prior/fit-shape-prior.ts'

const many = (times: number, features: readonly number[], label: number) =>
  Array.from({ length: times }, () => ({ features, label }))

test('without features the intercepts give the shares of the classes', () => {
  const model = fitMultinomial([...many(60, [], 0), ...many(30, [], 1), ...many(10, [], 2)], {
    features: 0,
    classes: 3,
    pull: 1,
  })
  expect(model[0]! - model[1]!).toBeCloseTo(Math.log(2), 2)
  expect(model[0]! - model[2]!).toBeCloseTo(Math.log(6), 2)
})

test('at the optimum the pull balances what the cases say', () => {
  const pull = 2
  const cases = [...many(8, [0], 0), ...many(2, [0], 1), ...many(5, [], 0), ...many(15, [], 1)]
  const model = fitMultinomial(cases, { features: 1, classes: 2, pull })
  const probability = 1 / (1 + Math.exp(model[1]! + model[3]! - model[0]! - model[2]!))
  // The gradient by the weight of feature 0 and class 0: pull * w = observed - expected count.
  expect(pull * model[0]!).toBeCloseTo(8 - 10 * probability, 2)
  expect(model[0]).toBeCloseTo(-model[1]!, 6)
  expect(model[0]).toBeGreaterThan(0)
})

test('gives the same weights each time', () => {
  const cases = [...many(3, [0, 1], 0), ...many(4, [1], 1), ...many(2, [0], 2)]
  const options = { features: 2, classes: 3, pull: 1 }
  expect(fitMultinomial(cases, options)).toEqual(fitMultinomial(cases, options))
})
