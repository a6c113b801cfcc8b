import { describe, expect, it } from 'vitest'
import { importLayer } from '../../../src/semantic-layer/import/import-layer.ts'

const relation = (alias: string) => ({ alias, schema_name: 'shop', database: 'db', relation_name: '' })

const where = (...templates: string[]) => ({
  where_filters: templates.map(where_sql_template => ({ where_sql_template })),
})

const customers = {
  name: 'customers',
  description: 'People who bought something.',
  node_relation: relation('dim_customers'),
  entities: [{ name: 'customer', type: 'primary', expr: 'customer_id' }],
  dimensions: [
    { name: 'customer_name', type: 'categorical' },
    { name: 'country', type: 'categorical', config: { meta: { synonyms: ['nations'] } } },
  ],
  measures: [],
}

const orders = {
  name: 'orders',
  description: null,
  node_relation: relation('fct_orders'),
  defaults: { agg_time_dimension: 'ordered_at' },
  entities: [
    { name: 'order', type: 'primary', expr: 'order_id' },
    { name: 'customer', type: 'foreign', expr: 'buyer_id' },
    { name: 'coupon', type: 'foreign', expr: 'coupon_id' },
  ],
  dimensions: [
    { name: 'ordered_at', type: 'time', type_params: { time_granularity: 'day' } },
    { name: 'paid_at', type: 'time', expr: 'payment_time', type_params: { time_granularity: 'second' } },
    { name: 'status', type: 'categorical', expr: 'order_status' },
    { name: 'is_large', type: 'categorical', expr: 'total > 100' },
  ],
  measures: [
    { name: 'order_count', agg: 'sum', expr: '1' },
    { name: 'total', agg: 'sum', expr: 'total_cents', agg_time_dimension: 'paid_at' },
    { name: 'large_share', agg: 'average', expr: 'case when total > 100 then 1 else 0 end' },
    { name: 'gifts', agg: 'sum_boolean', expr: 'is_gift' },
    { name: 'slowest', agg: 'percentile', expr: 'hours', agg_params: { percentile: 0.9 } },
    { name: 'typical', agg: 'median', expr: 'hours' },
    { name: 'buyers', agg: 'count_distinct', expr: 'buyer_id' },
    { name: 'balance', agg: 'sum', expr: 'balance', non_additive_dimension: { name: 'ordered_at' } },
  ],
}

const simple = (name: string, measure: string, extra: object = {}) => ({
  name,
  type: 'simple',
  type_params: { measure: { name: measure } },
  ...extra,
})

const metrics = [
  simple('orders', 'order_count', { label: 'Number Of Orders' }),
  simple('revenue', 'total', { description: 'What was paid.', config: { meta: { currency: 'EUR' } } }),
  simple('done_orders', 'order_count', { filter: where("{{ Dimension('order__status') }} = 'done'") }),
  simple('german_revenue', 'total', {
    filter: where(
      "{{ Dimension('customer__country') }} = 'DE'",
      "{{ TimeDimension('metric_time', 'day') }} > '2026-01-01'",
    ),
  }),
  simple('gift_orders', 'gifts'),
  simple('slow', 'slowest'),
  simple('balances', 'balance'),
  {
    name: 'order_value',
    type: 'ratio',
    type_params: { numerator: { name: 'revenue' }, denominator: { name: 'orders' } },
  },
  {
    name: 'done_share',
    type: 'ratio',
    type_params: {
      numerator: { name: 'orders', filter: where("{{ Dimension('order__status') }} = 'done'") },
      denominator: { name: 'orders' },
    },
  },
  {
    name: 'profit',
    type: 'derived',
    type_params: {
      expr: 'income - 0.2 * nullif(orders, 0)',
      metrics: [{ name: 'revenue', alias: 'income' }, { name: 'orders' }],
    },
  },
  {
    name: 'german_order_value',
    type: 'derived',
    filter: where("{{ Dimension('customer__country') }} = 'DE'"),
    type_params: { expr: 'order_value * 1', metrics: [{ name: 'order_value' }] },
  },
  {
    name: 'growth',
    type: 'derived',
    type_params: {
      expr: 'orders - earlier',
      metrics: [
        { name: 'orders' },
        { name: 'orders', alias: 'earlier', offset_window: { count: 1, granularity: 'month' } },
      ],
    },
  },
  {
    name: 'last_week',
    type: 'cumulative',
    type_params: {
      measure: { name: 'total' },
      cumulative_type_params: { window: { count: 7, granularity: 'day' } },
    },
  },
  {
    name: 'month_to_date',
    type: 'cumulative',
    type_params: { cumulative_type_params: { metric: { name: 'revenue' }, grain_to_date: 'month' } },
  },
  {
    name: 'hourly',
    type: 'cumulative',
    type_params: {
      cumulative_type_params: { metric: { name: 'revenue' }, window: { count: 3, granularity: 'hour' } },
    },
  },
  { name: 'converted', type: 'conversion', type_params: { conversion_type_params: { entity: 'customer' } } },
]

const importManifest = (manifest: object, ...others: object[]) =>
  importLayer('dbt', [
    { name: 'semantic_manifest.json', text: JSON.stringify(manifest) },
    ...others.map(other => ({ name: 'manifest.json', text: JSON.stringify(other) })),
  ])

const imported = importManifest({
  semantic_models: [customers, orders],
  metrics,
  saved_queries: [{ name: 'weekly' }],
})

const metric = (name: string, from = imported) => from.layer.metrics.find(one => one.name === name)
const model = (name: string, from = imported) => from.layer.models.find(one => one.name === name)
const reason = (name: string, from = imported) => from.skipped.find(one => one.name === name)?.why

describe('dbt: semantic models', () => {
  it('become models with keys, names, dates and joins', () => {
    expect(model('orders')).toMatchObject({
      label: 'Order',
      plural: 'orders',
      table: { schema: 'shop', name: 'fct_orders' },
      primaryKey: ['order_id'],
      timeDimension: 'ordered_at',
      nameDimensions: ['order_id'],
      joins: [{ name: 'customer', to: 'customers', columns: [{ from: 'buyer_id', to: 'customer_id' }] }],
      status: 'accepted',
    })
    expect(model('customers')).toMatchObject({ nameDimensions: ['customer_name'], timeDimension: null })
  })

  it('have dimensions over columns and SQL, with types and synonyms', () => {
    const named = new Map(model('orders')?.dimensions.map(one => [one.name, one]))
    expect(named.get('order_id')).toMatchObject({ isKey: true, label: 'Order ID' })
    expect(named.get('ordered_at')).toMatchObject({
      type: 'date',
      expression: { kind: 'column', column: 'ordered_at' },
    })
    expect(named.get('paid_at')).toMatchObject({ type: 'timestamp', expression: { column: 'payment_time' } })
    expect(named.get('is_large')).toMatchObject({ expression: { kind: 'sql', text: 'total > 100' } })
    expect(model('customers')?.dimensions.find(one => one.name === 'country')?.synonyms).toEqual(['nation'])
  })

  it('say where an entity leads nowhere', () => {
    expect(imported.translated.find(one => one.name === 'orders.coupon')?.note).toMatch(/nothing is joined/)
  })

  it('take descriptions of columns from manifest.json', () => {
    const nodes = {
      'model.shop.dim_customers': {
        resource_type: 'model',
        name: 'dim_customers',
        columns: { country: { name: 'country', description: 'Where the bill goes.' } },
      },
    }
    const again = importManifest({ semantic_models: [customers], metrics: [] }, { nodes })
    expect(model('customers', again)?.dimensions.find(one => one.name === 'country')?.description).toBe(
      'Where the bill goes.',
    )
  })
})

describe('dbt: metrics over measures', () => {
  it('count rows where a measure sums up ones', () => {
    expect(metric('orders')).toMatchObject({
      kind: 'simple',
      label: 'Number of orders',
      aggregation: 'count',
      expression: null,
      unit: { kind: 'count' },
    })
  })

  it('keep the time dimension and the currency', () => {
    expect(metric('revenue')).toMatchObject({
      aggregation: 'sum',
      expression: { kind: 'column', column: 'total_cents' },
      timeDimension: 'paid_at',
      unit: { kind: 'currency', code: 'EUR', scale: 1 },
      description: 'What was paid.',
    })
  })

  it('turn templates in filters into SQL over columns', () => {
    expect(metric('done_orders')).toMatchObject({ filters: ["order_status = 'done'"] })
    expect(metric('german_revenue')).toMatchObject({
      filters: ["customer.country = 'DE'", "payment_time > '2026-01-01'"],
    })
  })

  it('translate booleans, percentiles and medians', () => {
    expect(metric('gift_orders')).toMatchObject({
      expression: { kind: 'sql', text: 'CASE WHEN is_gift THEN 1 ELSE 0 END' },
    })
    expect(metric('slow')).toMatchObject({ aggregation: 'percentile', percentile: 0.9 })
    expect(metric('typical')).toMatchObject({ aggregation: 'median' })
  })

  it('make ratios, with a filtered copy of a metric where one side has a filter', () => {
    expect(metric('order_value')).toMatchObject({
      kind: 'ratio',
      numerator: 'revenue',
      denominator: 'orders',
    })
    expect(metric('done_share')).toMatchObject({ numerator: 'done_orders', denominator: 'orders' })
  })

  it('make formulas of derived metrics, down to the filters', () => {
    expect(metric('profit')).toMatchObject({ kind: 'derived', formula: 'revenue - 0.2 * orders' })
    const german = metric('german_order_value')
    expect(german).toMatchObject({ kind: 'derived', formula: 'order_value_filtered' })
    expect(metric('order_value_filtered')).toMatchObject({
      kind: 'ratio',
      numerator: 'revenue_filtered',
      denominator: 'orders_filtered',
    })
    expect(metric('orders_filtered')).toMatchObject({ filters: ["customer.country = 'DE'"] })
  })

  it('make cumulative metrics', () => {
    expect(metric('last_week')).toMatchObject({
      kind: 'cumulative',
      metric: 'revenue',
      window: { count: 7, unit: 'day' },
      toDate: null,
    })
    expect(metric('month_to_date')).toMatchObject({ metric: 'revenue', window: null, toDate: 'month' })
  })

  it('make a metric of a measure that no metric uses', () => {
    expect(metric('buyers')).toMatchObject({ aggregation: 'count_distinct' })
  })
})

describe('dbt: what is skipped', () => {
  it.each([
    ['balances', /must not be added up over ordered_at/],
    ['orders.balance', /must not be added up/],
    ['growth', /compares with an earlier period \(orders\)/],
    ['hourly', /window is in hour/],
    ['converted', /conversions/],
    ['weekly', /verified query/],
  ])('%s, with the reason', (name, why) => {
    expect(reason(name)).toMatch(why)
  })

  it('has every item in exactly one list', () => {
    const all = [...imported.translated, ...imported.skipped].map(item => `${item.kind} ${item.name}`)
    expect(new Set(all).size).toBe(all.length)
    const count =
      2 +
      customers.entities.length +
      customers.dimensions.length +
      metrics.length +
      1 +
      orders.entities.length +
      orders.dimensions.length +
      orders.measures.length
    expect(all).toHaveLength(count)
  })
})

describe('dbt: the newer specification', () => {
  const own = (name: string, aggregation: object, extra: object = {}) => ({
    name,
    type: 'simple',
    type_params: {
      measure: null,
      expr: null,
      metric_aggregation_params: { semantic_model: 'orders', ...aggregation },
    },
    ...extra,
  })
  const newer = importManifest({
    semantic_models: [customers, { ...orders, measures: [] }],
    metrics: [
      own('revenue', { agg: 'sum', agg_time_dimension: 'paid_at' }),
      own('orders', { agg: 'count' }, { filter: where("{{ Entity('order') }} is not null") }),
      {
        ...own('late', { agg: 'percentile', agg_params: { percentile: 0.95 } }),
        type_params: {
          expr: 'hours',
          metric_aggregation_params: {
            semantic_model: 'orders',
            agg: 'percentile',
            agg_params: { percentile: 0.95 },
          },
        },
      },
      own('stock', { agg: 'sum', non_additive_dimension: { name: 'ordered_at', window_choice: 'max' } }),
      own('lost', { agg: 'sum', semantic_model: 'nowhere' }),
      {
        name: 'running',
        type: 'cumulative',
        type_params: { cumulative_type_params: { metric: { name: 'revenue' }, period_agg: 'average' } },
      },
      own('active', { agg: 'count' }, { filter: where("{{ Metric('orders', ['customer']) }} > 2") }),
    ],
    saved_queries: [],
  })

  it('has metrics with their own aggregation', () => {
    expect(metric('revenue', newer)).toMatchObject({
      aggregation: 'sum',
      expression: { kind: 'column', column: 'revenue' },
      timeDimension: 'paid_at',
    })
    expect(metric('orders', newer)).toMatchObject({ expression: null, filters: ['order_id is not null'] })
    expect(metric('late', newer)).toMatchObject({ percentile: 0.95, expression: { column: 'hours' } })
    expect(newer.translated.find(one => one.name === 'running')?.note).toMatch(/not the average/)
  })

  it('skips what a layer cannot say', () => {
    expect(reason('stock', newer)).toMatch(/must not be added up/)
    expect(reason('lost', newer)).toMatch(/nowhere was not translated/)
    expect(reason('active', newer)).toMatch(/uses the metric orders/)
  })
})

describe('dbt: errors', () => {
  it('name the file and what to pass', () => {
    expect(() => importLayer('dbt', [{ name: 'a.json', text: '{' }])).toThrow(/a\.json: is not JSON/)
    expect(() => importLayer('dbt', [{ name: 'a.json', text: '{}' }])).toThrow(/dbt parse/)
  })

  it('list every problem with its place', () => {
    const wrong = { semantic_models: [{ name: 'orders' }], metrics: [{ name: 'revenue', type: 1 }] }
    expect(() => importManifest(wrong)).toThrow(
      /semantic_models\.orders\.node_relation[\s\S]*metrics\.revenue\.type/,
    )
  })
})
