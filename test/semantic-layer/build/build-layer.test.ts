import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import type { Metric } from '../../../src/domain/metrics/semantic-layer.ts'
import { buildLayer } from '../../../src/semantic-layer/build/build-layer.ts'
import { proposeLayer } from '../../../src/semantic-layer/propose/propose-layer.ts'
import { layerFile, openShop, problemsOf } from '../shop.ts'

let shop: OpenDatabase

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => shop.close())

const build = (...texts: readonly string[]) =>
  buildLayer({ files: texts.map(layerFile), terms: [] }, shop.database.catalog)

const revenue =
  '{ name: revenue, agg: sum, expr: total_cents, synonyms: [sales], unit: { currency: EUR, scale: 0.01 } }'

const orders = (metrics: string, rest = ''): string =>
  `semantic_models:\n  - name: order\n    table: orders\n    metrics:\n      - ${metrics}\n${rest}`

const metricNamed = (name: string, text: string): Metric | undefined =>
  build(text).layer.metrics.find(metric => metric.name === name)

describe('a model of a file', () => {
  it('is accepted, and has everything else from the proposal', () => {
    const { layer, problems } = build(
      'semantic_models: [{ name: order, label: Sale, dimensions: [{ name: status, synonyms: [state] }] }]',
    )
    expect(problems).toEqual([])
    const proposed = proposeLayer(shop.database.catalog).models.find(({ name }) => name === 'order')!
    const model = layer.models.find(({ name }) => name === 'order')!
    expect(model).toMatchObject({ label: 'Sale', plural: 'sales', status: 'accepted' })
    expect(model.dimensions.find(({ name }) => name === 'status')?.synonyms).toEqual(['state'])
    expect([model.joins, model.timeDimension, model.dimensions.length]).toEqual([
      proposed.joins,
      proposed.timeDimension,
      proposed.dimensions.length,
    ])
    expect(layer.models.filter(({ status }) => status === 'accepted')).toHaveLength(1)
  })

  it('may have another name, which proposals then use', () => {
    const { layer } = build(
      'semantic_models: [{ name: purchase, table: orders, dimensions: [{ name: ordered, expr: placed_at }] }]',
    )
    const purchase = layer.models.find(({ name }) => name === 'purchase')
    expect(purchase).toMatchObject({ label: 'Purchase', plural: 'purchases', timeDimension: 'ordered' })
    expect(purchase?.dimensions.some(({ name }) => name === 'placed_at')).toBe(false)
    expect(layer.models.find(({ name }) => name === 'order_line')?.joins.map(({ to }) => to)).toContain(
      'purchase',
    )
    expect(layer.models.find(({ name }) => name === 'order_line')?.timeDimension).toBe('order.ordered')
    expect(layer.metrics.some(metric => metric.kind === 'simple' && metric.model === 'purchase')).toBe(true)
  })

  it('has expressions, durations and joins of its own', () => {
    const { layer, problems, items } = build(`
semantic_models:
  - name: product
    dimensions:
      - { name: margin, type: number, expr: price_cents - cost_cents }
    metrics:
      - { name: best_margin, agg: max, expr: margin }
      - { name: good_products, agg: count, filter: margin > 5000 }
  - name: order
    dimensions:
      - { name: wait, duration: { from: placed_at, until: shipped_at, unit: hour } }
  - name: audit_log
    joins: [{ name: about, to: order, on: { order_id: id } }]
`)
    expect(problems).toEqual([])
    const dimension = (model: string, name: string) =>
      layer.models.find(one => one.name === model)?.dimensions.find(one => one.name === name)
    expect(dimension('order', 'wait')).toMatchObject({
      type: 'number',
      unit: { kind: 'duration', unit: 'hour' },
    })
    expect(layer.metrics.slice(0, 2)).toMatchObject([
      { expression: { kind: 'sql', text: 'price_cents - cost_cents' } },
      { filters: ['(price_cents - cost_cents) > 5000'] },
    ])
    expect(items.map(({ key }) => key)).toEqual([
      'join audit_log.about',
      'dimension product.margin',
      'dimension order.wait',
      'metric best_margin',
      'metric good_products',
    ])
  })

  it('is not in the layer if its table is excluded', () => {
    const { layer } = build('exclude: [audit_log, order_lines]')
    expect(layer.models.map(({ name }) => name)).toEqual(['customer', 'order', 'product'])
    expect(layer.metrics.some(({ name }) => name.startsWith('order_line'))).toBe(false)
  })
})

describe('metrics of files', () => {
  it('come first, and proposals that say the same are left out', () => {
    const { metrics } = build(orders(revenue)).layer
    expect(metrics[0]).toMatchObject({ name: 'revenue', label: 'Revenue', status: 'accepted' })
    expect(metrics.filter(({ name }) => name === 'order_total_cents')).toEqual([])
    const average = metrics.find(({ name }) => name === 'average_order_value')
    expect(average).toMatchObject({ numerator: 'revenue', status: 'proposed' })
  })

  it('share no word with a proposal over the same rows', () => {
    const paid = "{ name: paid, agg: sum, expr: total_cents, filter: status = 'paid', synonyms: [sales] }"
    const proposed = metricNamed('revenue', orders(paid))
    expect(proposed?.status).toBe('proposed')
    expect(proposed?.synonyms).not.toContain('sales')
    expect(proposed?.synonyms).toContain('turnover')
  })

  it('are not proposed again after they were rejected, nor what is made of them', () => {
    const names = build('rejected: [revenue]').layer.metrics.map(({ name }) => name)
    expect(names).not.toContain('revenue')
    expect(names).not.toContain('average_order_value')
  })

  it('can add words to a proposal', () => {
    expect(metricNamed('order_count', orders('{ name: order_count, label: Purchases }'))).toMatchObject({
      label: 'Purchases',
      aggregation: 'count',
      status: 'accepted',
    })
  })

  it('have the unit of what they are made of, in one scale', () => {
    const text = orders(
      revenue,
      `      - { name: shipping, agg: sum, expr: shipping_eur, unit: EUR }
      - { name: orders, agg: count }
metrics:
  - { name: per_order, type: ratio, numerator: revenue, denominator: orders }
  - { name: share, type: ratio, numerator: shipping, denominator: revenue, unit: fraction }
  - { name: all_in, type: derived, expr: revenue + shipping }
  - { name: running, type: cumulative, metric: revenue, window: 7 days }
`,
    )
    const { layer, problems } = build(text)
    expect(problems).toEqual([])
    const named = (name: string) => layer.metrics.find(metric => metric.name === name)
    const cents = { kind: 'currency', code: 'EUR', scale: 0.01 }
    expect(named('per_order')).toMatchObject({ kind: 'ratio', unit: cents })
    expect(named('share')).toMatchObject({
      kind: 'derived',
      formula: '100 * shipping / revenue',
      unit: { kind: 'percent' },
    })
    expect(named('all_in')).toMatchObject({
      formula: '(0.01 * revenue) + shipping',
      unit: { kind: 'currency', code: 'EUR', scale: 1 },
    })
    expect(named('running')).toMatchObject({ window: { count: 7, unit: 'day' }, unit: cents })
  })
})

describe('what does not fit the database', () => {
  it.each([
    [
      'a table',
      'semantic_models: [{ name: sale, table: oders }]',
      '1: there is no table oders; did you mean orders?',
    ],
    ['an excluded table', 'exclude: audit', '1: there is no table audit; did you mean audit_log?'],
    [
      'a column',
      orders('{ name: a, agg: sum, expr: total_cent }'),
      '5: the table orders has no column total_cent; did you mean total_cents?',
    ],
    [
      'a column of another model',
      orders('{ name: a, agg: sum, expr: total_cents * customer.nam }'),
      '5: the table customers has no column nam; did you mean name?',
    ],
    [
      'a model in an expression',
      orders('{ name: a, agg: sum, expr: total_cents * custmer.id }'),
      '5: there is no model, table or join custmer; did you mean customer?',
    ],
    [
      'many rows in an expression',
      orders('{ name: a, agg: sum, expr: total_cents * order_line.quantity }'),
      '5: “total_cents * order_line.quantity” uses order_line, of which order has many; put the metric into order_line instead',
    ],
    [
      'a sum of texts',
      orders('{ name: a, agg: sum, expr: status }'),
      '5: agg: sum needs a number, but status is TEXT; use count_distinct, or another expr',
    ],
    [
      'a filter that is none',
      orders('{ name: a, agg: count, filter: status }'),
      '5: filter: “status” is no condition; compare it with something, as in status = 1',
    ],
    [
      'a date',
      orders('{ name: a, agg: count, agg_time_dimension: placed }'),
      '5: agg_time_dimension: order has no date placed; did you mean placed_at?',
    ],
    [
      'a metric',
      orders(revenue, 'metrics: [{ name: b, type: derived, expr: revenu * 2 }]'),
      '6: there is no metric revenu; did you mean revenue?',
    ],
    [
      'a formula',
      orders(revenue, 'metrics: [{ name: b, type: derived, expr: revenue ^ 2 }]'),
      '6: cannot read “revenue ^ 2”; write arithmetic over metrics, such as (revenue - cost) / revenue',
    ],
    [
      'a model of a segment',
      'segments: [{ name: a, model: custmer, where: id = 1 }]',
      '1: there is no model custmer; did you mean customer?',
    ],
    [
      'a dimension',
      'semantic_models: [{ name: order, dimensions: [{ name: state }] }]',
      '1: the table orders has no column state; did you mean status?; for anything else give an expr',
    ],
    [
      'a name dimension',
      'semantic_models: [{ name: order, name_dimensions: [nummer] }]',
      '1: name_dimensions: order has no dimension nummer; did you mean number?',
    ],
    [
      'a join to many rows',
      'semantic_models: [{ name: customer, joins: [{ name: o, to: order, on: { id: customer_id } }] }]',
      '1: a join must lead to one row, but orders.customer_id has values that come more than once; put the join into order, or join by its key',
    ],
    [
      'a model without a proposal of that name',
      orders('{ name: turnover }'),
      '5: say what turnover is: an agg with an expr, or a type (no metric of that name is proposed)',
    ],
  ])('is left out and reported: %s', (_what, text, problem) => {
    expect(problemsOf(build(text))).toEqual([problem])
  })

  it('reports circles, and what depends on them', () => {
    const { layer, problems } = build(
      'metrics: [{ name: a, type: derived, expr: b + 1 }, { name: b, type: derived, expr: a - 1 }, { name: c, type: derived, expr: a * 2 }]',
    )
    expect(problems.map(({ message }) => message)).toEqual([
      'a is defined by itself: a needs b needs a',
      'b needs the metric a, which has a problem of its own',
      'c needs the metric a, which has a problem of its own',
    ])
    expect(layer.metrics.every(({ status }) => status === 'proposed')).toBe(true)
  })

  it('reports words and names that two things have', () => {
    const { problems } = build(
      orders(revenue, '      - { name: gross, agg: sum, expr: shipping_eur, synonyms: [sales] }\n'),
      orders('{ name: revenue, agg: count }'),
      'segments: [{ name: a, model: order, where: id = 1, synonyms: [big] }, { name: b, model: order, where: id = 2, synonyms: [big] }]',
      'semantic_models: [{ name: product, synonyms: [thing] }, { name: customer, synonyms: [thing] }]',
    )
    expect(problems.map(({ message }) => message)).toEqual([
      'the models product and customer are both called “thing”; remove it from one of them',
      'the segments a and b of order are both called “big”; remove it from one of them',
      'there is a metric revenue already (semantic/shop.yml:5); give one another name',
      'the metrics revenue and gross are both called “sales”; remove it from one of them',
    ])
  })
})
