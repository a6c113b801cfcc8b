import { describe, expect, it } from 'vitest'
import type { Dimension, SemanticLayer } from '../../../src/domain/metrics/semantic-layer.ts'
import { makeParseQuestion } from '../../../src/parser/interpret-question.ts'
import { trainedModel } from '../../../src/parser/rank/model.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { prepareLayer, readMetricQuestion } from '../../../src/semantic-layer/read-metric-question.ts'
import { makeReadQuestion } from '../../../src/semantic-layer/read-question.ts'
import { bakerySuite, clock } from './bakery.ts'

const { bakery } = bakerySuite()

const timeToArrive: Dimension = {
  name: 'time_to_arrive',
  label: 'Time to arrive',
  synonyms: [],
  description: null,
  type: 'number',
  expression: { kind: 'duration', from: 'placed_at', until: 'delivered_on', unit: 'day' },
  values: null,
  unit: { kind: 'duration', unit: 'day' },
  isKey: false,
}

/** The proposed layer, and what a team has added to it. */
const layer = (): SemanticLayer => {
  const proposed = prepareLayer(bakery()).layer
  return {
    ...proposed,
    models: proposed.models.map(model =>
      model.name === 'order' ? { ...model, dimensions: [...model.dimensions, timeToArrive] } : model,
    ),
    segments: [
      ...proposed.segments,
      {
        name: 'remote_order',
        label: 'Remote order',
        synonyms: ['remote'],
        description: null,
        model: 'order',
        conditions: [{ kind: 'sql', text: "channel IN ('web', 'phone')" }],
        status: 'accepted',
      },
    ],
    metrics: [
      ...proposed.metrics,
      {
        name: 'average_time_to_arrive',
        label: 'Average time to arrive',
        synonyms: [],
        description: null,
        kind: 'simple',
        model: 'order',
        aggregation: 'avg',
        expression: { kind: 'duration', from: 'placed_at', until: 'delivered_on', unit: 'day' },
        percentile: null,
        filters: [],
        timeDimension: null,
        unit: { kind: 'duration', unit: 'day' },
        goodDirection: null,
        status: 'accepted',
      },
      {
        name: 'dough',
        label: 'Dough',
        synonyms: [],
        description: null,
        kind: 'simple',
        model: 'order_line',
        aggregation: 'sum',
        expression: { kind: 'column', column: 'quantity' },
        percentile: null,
        filters: [],
        timeDimension: null,
        unit: { kind: 'other', suffix: 'kg', scale: 1 },
        goodDirection: null,
        status: 'accepted',
      },
    ],
  }
}

const read = (question: string) => {
  const [first] = readMetricQuestion({
    understanding: understandQuestion(question, clock),
    database: { ...bakery(), semanticLayer: layer() },
  })
  if (first === undefined) throw new Error(`not read: ${question}`)
  return first
}

describe('sets of rows side by side', () => {
  it.each([
    ['remote vs counter orders', ['Remote orders', 'Counter orders']],
    ['counter vs remote orders', ['Counter orders', 'Remote orders']],
    ['compare remote and counter orders', ['Remote orders', 'Counter orders']],
    ['compare remote and counter revenue', ['Revenue (remote orders)', 'Revenue (counter orders)']],
  ])('%s', (question, labels) => {
    const { meaning, unused } = read(question)
    expect(unused).toEqual([])
    expect(meaning.columns.map(({ label }) => label)).toEqual(labels)
    expect(meaning.query.filters).toEqual([])
  })

  it('are rows where one column tells them apart', () => {
    const { meaning } = read('compare web and phone orders')
    expect(meaning.query.groupBy).toMatchObject([{ kind: 'dimension', at: { dimension: 'channel' } }])
    expect(meaning.query.metrics).toHaveLength(1)
  })

  it('are asked for by the word alone, where there is one figure and nothing beside it', () => {
    expect(read('compare revenue by shop').unused).toEqual([])
    expect(read('compare remote revenue').unused).toEqual(['compare'])
  })
})

it('half of a comparison is no answer', () => {
  const database = { ...bakery(), semanticLayer: layer() }
  const readings = makeReadQuestion(makeParseQuestion(trainedModel))({
    understanding: understandQuestion('loyal vs occasional clients last quarter', clock),
    database,
  })
  expect(readings[0]?.confidence).toBeLessThan(0.3)
})

describe('the word of a unit', () => {
  it('is the total that has it', () => {
    const { meaning, unused } = read('revenue per kilo by shop')
    expect(unused).toEqual([])
    expect(meaning.query.metrics).toMatchObject([
      { kind: 'ratio', denominator: { kind: 'named', metric: 'dough' } },
    ])
  })
})

describe('what takes long', () => {
  it.each(['which orders take the longest to arrive?', 'which orders took longest to arrive?'])(
    '%s',
    question => {
      const { meaning, unused } = read(question)
      expect(unused).toEqual([])
      expect(meaning.query).toMatchObject({
        rowsOf: 'order',
        order: [{ kind: 'dimension', at: { dimension: 'time_to_arrive' }, direction: 'desc' }],
      })
    },
  )

  it('is not what costs the most', () => {
    expect(read('which products take the longest to bake?').unused).toEqual(['take the longest to bake'])
  })
})

describe('what is fast or slow', () => {
  it.each([
    ['which shop is the fastest', 'asc'],
    ['which shop is the slowest', 'desc'],
  ])('goes by the time that the team measures: %s', (question, direction) => {
    const { meaning, unused } = read(question)
    expect(unused).toEqual([])
    expect(meaning.query.groupBy).toEqual([{ kind: 'model', model: 'shop', via: null }])
    expect(meaning.query.order).toMatchObject([{ metric: { metric: 'average_time_to_arrive' }, direction }])
    expect(meaning.query.limit).toBe(1)
  })
})
