import { describe, expect, test } from 'vitest'
import { shippedShapePrior } from '../../../src/ranking/evidence.ts'
import { factNames, makeAnswerPrior } from '../../../src/ranking/shape-prior/answer-prior.ts'
import { shapePriorModelSchema } from '../../../src/ranking/shape-prior/shape-prior-model.ts'
import { type SqlShape, sqlShape } from '../../../src/sql/analyze/sql-shape.ts'
import { nursery } from './nursery.ts'

const shape = (sql: string): SqlShape => {
  const found = sqlShape(sql, 'sqlite')
  if (found === null) throw new Error(`no shape: ${sql}`)
  return found
}

const provenance = { trainedOn: [], licence: '', method: '', date: '' }

const columns = { classes: ['aggregated', 'none', 'plain'], intercepts: [0, 0, 0], cues: {} }

/** Weights by hand: a question with "mani" counts, odds of e² to 1. */
const handmade = shapePriorModelSchema.parse({
  provenance,
  facts: {
    aggregate: { classes: ['count', 'none'], intercepts: [0, 1], cues: { mani: [3, 0] } },
  },
  columns: { ...columns, cues: { 'named, only': [0, 0, 2], 'unnamed key': [0, 1, 0] } },
  order: { 'named-first': 1 },
})

describe('with weights made by hand', () => {
  const many = makeAnswerPrior(handmade)('How many plants are there?', nursery)

  test('tells how likely the facts of a query are, and how surprising', () => {
    const { logLikelihood, facts, surprise } = many.shape(shape('SELECT name FROM plant'))
    expect(logLikelihood).toBeCloseTo(1 - Math.log(Math.E ** 3 + Math.E), 10)
    expect(facts).toEqual([
      { fact: 'aggregate', found: 'none', expected: 'count', surprise: expect.closeTo(2, 10) },
    ])
    expect(surprise).toEqual({ shown: expect.closeTo(2, 10), rows: 0, way: 0 })
    expect(many.shape(shape('SELECT count(*) FROM plant')).surprise.shown).toBe(0)
  })

  test('takes what it never saw for unlikely, and no surprise for more than 8', () => {
    const { logLikelihood, surprise } = many.shape(shape('SELECT avg(price) FROM plant'))
    expect(logLikelihood).toBeCloseTo(Math.log(1e-4), 10)
    expect(surprise.shown).toBe(8)
  })

  test('tells which columns are missing and which are extra', () => {
    const { columns } = makeAnswerPrior(handmade)('What heights and prices do we have?', nursery)
    expect(columns(shape('SELECT height, plant_id FROM plant'))).toEqual({
      score: expect.closeTo(1, 10),
      missing: ['plant.price'],
      extra: ['plant.plant_id'],
      extraWeight: expect.closeTo(1, 10),
      missingWeight: expect.closeTo(2, 10),
    })
    expect(columns(shape('SELECT height, price FROM plant'))).toMatchObject({
      missing: [],
      extra: [],
      score: 4,
    })
    expect(columns(shape('SELECT * FROM plant'))).toMatchObject({ missing: [], extra: [], score: 0 })
  })

  test('prefers the order in which things are named', () => {
    const { columnOrder } = makeAnswerPrior(handmade)('What heights and prices do we have?', nursery)
    const right = columnOrder(shape('SELECT height, price FROM plant'))
    const wrong = columnOrder(shape('SELECT price, height FROM plant'))
    expect(Math.exp(right) + Math.exp(wrong)).toBeCloseTo(1, 10)
    expect(right - wrong).toBeCloseTo(1, 10)
    expect(columnOrder(shape('SELECT price FROM plant'))).toBe(0)
  })
})

describe('with the weights that come with Querent', () => {
  const expectAnswer = makeAnswerPrior(shippedShapePrior)

  test('they know every fact', () => {
    expect(Object.keys(shippedShapePrior.facts).sort()).toEqual([...factNames].sort())
  })

  test.each([
    ['How many plants are there?', 'SELECT count(*) FROM plant', 'SELECT name FROM plant'],
    [
      'What is the name of each grower?',
      'SELECT grower_name FROM grower',
      'SELECT grower_name, count(*) FROM grower',
    ],
    [
      'What is the average price of all plants?',
      'SELECT avg(price) FROM plant',
      'SELECT name, avg(price) FROM plant',
    ],
    ['List the names and prices of all plants.', 'SELECT name, price FROM plant', 'SELECT * FROM plant'],
  ])('for "%s" they are less surprised by the plain answer', (question, plain, odd) => {
    const { shape: judge } = expectAnswer(question, nursery)
    expect(judge(shape(plain)).surprise.shown).toBeLessThan(judge(shape(odd)).surprise.shown)
  })

  test.each([
    ['What are the names and heights of the plants?', 'name', 'height'],
    ['For each city, how many growers are there?', 'city', 'count(*)'],
    ['Show the number of growers in each city.', 'city', 'count(*)'],
    ['Which plants are there? List the price and name.', 'price', 'name'],
  ])('for "%s" they put %s before %s', (question, first, second) => {
    const { columnOrder } = expectAnswer(question, nursery)
    const from = first === 'city' ? 'grower GROUP BY city' : 'plant'
    expect(columnOrder(shape(`SELECT ${first}, ${second} FROM ${from}`))).toBeGreaterThan(
      columnOrder(shape(`SELECT ${second}, ${first} FROM ${from}`)),
    )
  })

  test('they miss what was asked for and tell what was not', () => {
    const { columns } = expectAnswer('What are the names and heights of the plants?', nursery)
    expect(columns(shape('SELECT name FROM plant')).missing).toEqual(['plant.height'])
    expect(columns(shape('SELECT name, height, plant_id FROM plant')).extra).toEqual(['plant.plant_id'])
  })
})
