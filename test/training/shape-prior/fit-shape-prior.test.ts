import { describe, expect, test } from 'vitest'
import {
  type ShapePriorModel,
  shapePriorModelSchema,
} from '../../../src/ranking/shape-prior/shape-prior-model.ts'
import { fitShapePrior } from '../../../training/shape-prior/fit-shape-prior.ts'
import { type KnownAnswer, knownAnswer } from '../../../training/shape-prior/known-answers.ts'
import { measureFolds, renderShapePrior } from '../../../training/shape-prior/measure-folds.ts'
import { nursery } from '../../ranking/shape-prior/nursery.ts'

const asked = [
  ['How many plants are there?', 'SELECT count(*) FROM plant'],
  ['What are the names of all plants?', 'SELECT name FROM plant'],
  ['What are the names and prices of all plants?', 'SELECT name, price FROM plant'],
  ['What are the prices and heights of all plants?', 'SELECT price, height FROM plant'],
] as const

/** The same questions of many nurseries: a cue counts only where many databases have it. */
const answers = Array.from({ length: 24 }, (_, at) =>
  asked.flatMap(
    ([question, gold]) => knownAnswer({ database: `nursery ${at}`, question, gold }, nursery) ?? [],
  ),
).flat()

const train = (some: readonly KnownAnswer[]): ShapePriorModel => ({
  provenance: {
    trainedOn: ['invented questions'],
    licence: 'ours',
    method: 'logistic regression',
    date: '2026-01-01',
  },
  ...fitShapePrior(some),
})

describe('fitShapePrior', () => {
  test('learns from known answers what holds on databases that it did not see', () => {
    const { facts, order } = measureFolds(answers, { folds: 3, train })
    expect(facts.find(({ fact }) => fact === 'items')).toEqual({ fact: 'items', right: 1, mostFrequent: 0.5 })
    expect(order).toEqual({ questions: 48, prior: 1, fewestInversions: 1 })
  })

  test('keeps no words that few databases share', () => {
    const rare = knownAnswer(
      { database: 'nursery 1', question: 'How many zinnias are there?', gold: 'SELECT count(*) FROM plant' },
      nursery,
    )
    expect(rare).not.toBeNull()
    expect(renderShapePrior(train([...answers, rare as KnownAnswer]))).not.toContain('zinnia')
  })

  test('learns nothing of what all known answers have alike', () => {
    const { facts } = train(answers)
    expect(Object.keys(facts)).toContain('items')
    expect(Object.keys(facts)).not.toContain('like')
  })

  test('leaves out SQL that has no shape', () => {
    expect(knownAnswer({ database: 'a', question: 'Which?', gold: 'SELECT FROM' }, nursery)).toBeNull()
  })
})

test('a model is written with one cue a line, and read again as it was', () => {
  const model = train(answers)
  const text = renderShapePrior(model)
  expect(shapePriorModelSchema.parse(JSON.parse(text))).toEqual(model)
  expect(text).toMatch(/^ {8}"[^"]+": \[-?[\d.]+(?:, -?[\d.]+)+\],$/m)
})
