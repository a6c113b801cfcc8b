import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseLayerFile } from '../../../src/semantic-layer/files/parse-layer-file.ts'
import { layerFile, problemsOf } from '../shop.ts'

describe('a file of the semantic layer', () => {
  it('has models, metrics inside and outside of them, segments, and what is not to be shown', () => {
    const file = layerFile(`
database: [shop, farm]
semantic_models:
  - name: order
    table: public.orders
    synonyms: Purchase
    agg_time_dimension: placed_at
    dimensions:
      - { name: margin, type: number, expr: price - cost, unit: { currency: EUR, scale: 0.01 } }
    joins:
      - { name: customer, to: customer, on: { customer_id: id } }
    metrics:
      - { name: revenue, agg: sum, expr: total_cents, filter: "status <> 'cancelled'", better: up }
      - { name: p90, agg: percentile, percentile: 0.9, expr: total_cents }
metrics:
  - { name: aov, type: ratio, numerator: revenue, denominator: orders }
  - { name: to_date, type: cumulative, metric: revenue, grain_to_date: year }
segments:
  - { name: active, model: customer, where: closed_at IS NULL, has: { model: order, within_days: 365 } }
exclude: audit_log
rejected: [order_count]
`)
    expect(file.problems).toEqual([])
    expect(file).toMatchObject({
      databases: ['shop', 'farm'],
      models: [
        {
          name: 'order',
          table: 'public.orders',
          synonyms: ['purchase'],
          label: null,
          dimensions: [{ name: 'margin', unit: { kind: 'currency', code: 'EUR', scale: 0.01 } }],
          joins: [{ to: 'customer', columns: [{ from: 'customer_id', to: 'id' }] }],
        },
      ],
      metrics: [
        { name: 'revenue', model: 'order', better: 'up', definition: { filters: ["status <> 'cancelled'"] } },
        { name: 'p90', definition: { aggregation: 'percentile', percentile: 0.9 } },
        { name: 'aov', model: null, definition: { kind: 'ratio' } },
        { name: 'to_date', definition: { kind: 'cumulative', grainToDate: 'year' } },
      ],
      segments: [{ where: ['closed_at IS NULL'], related: [{ model: 'order', negated: false, days: 365 }] }],
      exclude: [{ name: 'audit_log' }],
      rejected: [{ name: 'order_count', at: { line: 21 } }],
    })
  })

  it.each([
    ['percent', { kind: 'percent', scale: 1 }],
    ['fraction', { kind: 'percent', scale: 100 }],
    ['count', { kind: 'count' }],
    ['hour', { kind: 'duration', unit: 'hour' }],
    ['USD', { kind: 'currency', code: 'USD', scale: 1 }],
    ['money', { kind: 'currency', code: null, scale: 1 }],
    ['{ currency: unknown, scale: 0.01 }', { kind: 'currency', code: null, scale: 0.01 }],
    ['{ suffix: kg, scale: 0.001 }', { kind: 'other', suffix: 'kg', scale: 0.001 }],
    ['none', 'none'],
  ])('reads the unit %s', (unit, expected) => {
    const { metrics } = layerFile(`metrics: [{ name: a, model: b, agg: sum, expr: c, unit: ${unit} }]`)
    expect(metrics[0]?.unit).toEqual(expected)
  })

  it('is read as far as it can be, with every problem and its line', () => {
    const file = layerFile(`semantic_model: []
semantic_models:
  - name: order
    tabl: orders
    metrics:
      - { name: revenue, agg: summ, expr: total }
      - { name: rest, agg: sum, expr: total, filtr: x }
      - { name: good, agg: count }
`)
    expect(problemsOf(file)).toEqual([
      '1: a file of the semantic layer has no key semantic_model; did you mean semantic_models?',
      '4: a semantic model has no key tabl; did you mean table?',
      '7: a metric has no key filtr; did you mean filter?',
      expect.stringMatching(/^6: agg must be one of .*, not summ; did you mean sum\?$/),
    ])
    expect(file.metrics.map(({ name }) => name)).toEqual(['good'])
  })

  it.each([
    ['metrics: [{ agg: count, model: a }]', 'a metric needs a name'],
    [
      'metrics: [{ name: net revenue, model: a, agg: count }]',
      'write net_revenue, and “net revenue” as its label',
    ],
    ['metrics: [{ name: a, agg: sum, model: b }]', 'say what to aggregate: expr, such as expr: total_cents'],
    ['metrics: [{ name: a, expr: x, model: b }]', 'a metric with an expr needs an agg'],
    ['metrics: [{ name: a, agg: count }]', 'put this metric into a semantic model, or name its model'],
    ['metrics: [{ name: a, numerator: b }]', 'add type: ratio for the key numerator'],
    ['metrics: [{ name: a, type: ratio, numerator: b }]', 'a ratio needs a numerator and a denominator'],
    ['metrics: [{ name: a, type: derived }]', 'a derived metric needs an expr'],
    [
      'metrics: [{ name: a, type: ratio, numerator: b, denominator: c, agg: sum }]',
      'a ratio metric has no agg',
    ],
    [
      'metrics: [{ name: a, type: cumulative, metric: b, window: a week }]',
      'write a window as 7 days, not a week',
    ],
    ['metrics: [{ name: a, model: b, agg: sum, expr: c, unit: euros }]', 'unit must be percent'],
    ['metrics: [{ name: a, model: b, agg: percentile, expr: c }]', 'a number between 0 and 1'],
    ['segments: [{ name: a, model: b }]', 'a segment needs a condition: where, past, has or has_not'],
    ['segments: [{ name: a, where: x }]', 'a segment needs a model'],
    ['segments: [{ name: a, model: b, has: { within_days: 3 } }]', 'write has as { model: order'],
    ['semantic_models: [{ name: a, joins: [{ to: b }] }]', 'write a join as { name: customer'],
    ['semantic_models: orders', 'write a semantic model as a mapping with name, label'],
    ['- a', 'begin with a key: database, semantic_models'],
    ['a: [', 'this is not valid YAML'],
  ])('says of %s what to write instead', (text, message) => {
    const { problems, metrics, segments } = layerFile(text)
    expect(problems.map(problem => problem.message).join('\n')).toContain(message)
    expect([metrics, segments]).toEqual([[], []])
  })

  it('is as the documentation shows it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/semantic-layer.md'), 'utf8')
    const examples = [...page.matchAll(/```yaml[^\n]*\n([\s\S]*?)```/g)].map(match =>
      layerFile(match[1] ?? ''),
    )
    expect(examples.map(({ problems, metrics }) => [problems, metrics.length])).toEqual([
      [[], 1],
      [[], 6],
    ])
  })

  it('says nothing if it is empty', () => {
    expect(parseLayerFile('# nothing yet', { file: 'a.yml' })).toMatchObject({ models: [], problems: [] })
  })
})
