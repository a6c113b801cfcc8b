import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Dimension, Metric, SemanticLayer } from '../../../src/domain/metrics/semantic-layer.ts'
import { exportOssie } from '../../../src/semantic-layer/export/export-ossie.ts'
import { importLayer } from '../../../src/semantic-layer/import/import-layer.ts'

const dimension = (name: string, own: Partial<Dimension> = {}): Dimension => ({
  name,
  label: `The ${name}`,
  synonyms: [],
  description: null,
  type: 'categorical',
  expression: { kind: 'column', column: name },
  values: null,
  unit: null,
  isKey: false,
  ...own,
})

const naming = {
  synonyms: [],
  description: null,
  unit: null,
  goodDirection: null,
  status: 'accepted',
} as const

const total = {
  kind: 'simple',
  model: 'order',
  aggregation: 'sum',
  expression: { kind: 'column', column: 'total' },
  percentile: null,
  filters: [],
  timeDimension: null,
} as const

const metrics: readonly Metric[] = [
  {
    ...naming,
    ...total,
    name: 'revenue',
    label: 'Revenue',
    synonyms: ['sales', 'turnover'],
    description: 'What was paid.',
    unit: { kind: 'currency', code: 'EUR', scale: 0.01 },
    goodDirection: 'up',
    status: 'proposed',
  },
  {
    ...naming,
    ...total,
    name: 'german_net',
    label: 'German net revenue',
    expression: { kind: 'sql', text: 'total - tax' },
    filters: ["customer.country = 'DE'", 'total > 0'],
    timeDimension: 'paid',
  },
  { ...naming, ...total, name: 'orders', label: 'Orders', aggregation: 'count', expression: null },
  { ...naming, ...total, name: 'slow', label: 'Slow', aggregation: 'percentile', percentile: 0.9 },
  {
    ...naming,
    kind: 'ratio',
    name: 'order_value',
    label: 'Order value',
    numerator: 'revenue',
    denominator: 'orders',
  },
  { ...naming, kind: 'derived', name: 'profit', label: 'Profit', formula: 'revenue - 2 * german_net' },
  {
    ...naming,
    kind: 'cumulative',
    name: 'running',
    label: 'Running revenue',
    metric: 'revenue',
    window: { count: 7, unit: 'day' },
    toDate: null,
  },
]

const layer: SemanticLayer = {
  models: [
    {
      name: 'order',
      label: 'Order',
      plural: 'orders',
      synonyms: ['purchases'],
      description: 'Carts that were paid.',
      table: { schema: 'shop', name: 'Fct Orders' },
      primaryKey: ['id'],
      nameDimensions: ['id'],
      timeDimension: 'placed',
      dimensions: [
        dimension('id', { isKey: true, type: 'number' }),
        dimension('placed', { type: 'timestamp', expression: { kind: 'column', column: 'Placed At' } }),
        dimension('paid', { type: 'date' }),
        dimension('status', { values: ['open', 'done'], synonyms: ['states'] }),
        dimension('tax', { type: 'number', unit: { kind: 'percent', scale: 1 } }),
        dimension('wait', {
          type: 'number',
          expression: { kind: 'duration', from: 'placed', until: 'paid', unit: 'hour' },
          unit: { kind: 'duration', unit: 'hour' },
        }),
      ],
      joins: [{ name: 'customer', to: 'customer', columns: [{ from: 'customer_id', to: 'id' }] }],
      status: 'accepted',
    },
    {
      name: 'customer',
      label: 'Customer',
      plural: 'customers',
      synonyms: [],
      description: null,
      table: { schema: null, name: 'customers' },
      primaryKey: ['id'],
      nameDimensions: ['name'],
      timeDimension: null,
      dimensions: [dimension('id', { isKey: true }), dimension('name')],
      joins: [],
      status: 'proposed',
    },
  ],
  metrics,
  segments: [
    {
      name: 'active_customer',
      label: 'Active customer',
      synonyms: [],
      description: null,
      model: 'customer',
      conditions: [{ kind: 'related', model: 'order', negated: false, where: [], days: 30 }],
      status: 'accepted',
    },
  ],
}

const exported = exportOssie(layer)
const document = parse(exported.text) as {
  semantic_model: {
    datasets: object[]
    metrics: { name: string; expression: { dialects: { expression: string }[] } }[]
  }[]
}
const sqlOf = (name: string) =>
  document.semantic_model[0]?.metrics.find(one => one.name === name)?.expression.dialects[0]?.expression

describe('the export as Ossie', () => {
  it('gives the same layer when it is imported', () => {
    const again = importLayer('ossie', [{ name: 'export.yml', text: exported.text }])
    expect(again.skipped).toEqual([])
    expect(again.layer.models).toEqual(layer.models)
    expect(again.layer.segments).toEqual(layer.segments)
    expect([...again.layer.metrics]).toEqual(expect.arrayContaining([...metrics]))
    expect(again.layer.metrics).toHaveLength(metrics.length)
  })

  it('says in SQL what other tools can read', () => {
    expect(sqlOf('revenue')).toBe('SUM("order".total)')
    expect(sqlOf('orders')).toBe('COUNT("order".id)')
    expect(sqlOf('german_net')).toBe(
      `SUM(CASE WHEN (customer.country = 'DE') AND ("order".total > 0) THEN "order".total - "order".tax END)`,
    )
    expect(sqlOf('slow')).toBe('PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY "order".total)')
    expect(sqlOf('order_value')).toBe('SUM("order".total) / NULLIF(COUNT("order".id), 0)')
    expect(sqlOf('profit')).toMatch(/^SUM\("order"\.total\) - 2 \* \(?SUM\(CASE/)
    expect(document.semantic_model[0]?.datasets[0]).toMatchObject({ source: 'shop."Fct Orders"' })
  })

  it('names what other tools will not see', () => {
    expect(exported.hidden.map(one => one.name)).toEqual(['running', 'active_customer'])
    expect(sqlOf('running')).toBeUndefined()
  })

  it('is changed by hand: the SQL that a person writes wins', () => {
    const text = exported.text.replace('expression: SUM("order".total)\n', 'expression: AVG("order".total)\n')
    const again = importLayer('ossie', [{ name: 'export.yml', text }])
    expect(again.layer.metrics.find(one => one.name === 'revenue')).toMatchObject({
      aggregation: 'avg',
      label: 'Revenue',
      unit: { kind: 'currency', code: 'EUR', scale: 0.01 },
    })
  })

  it('is read by tools that do not know the extensions', () => {
    const text = exported.text.replaceAll('vendor_name: QUERENT', 'vendor_name: OTHER')
    const again = importLayer('ossie', [{ name: 'export.yml', text }])
    expect(again.skipped.map(one => one.kind)).toEqual(['extension'])
    expect(again.layer.metrics.find(one => one.name === 'orders')).toMatchObject({ aggregation: 'count' })
    expect(again.layer.metrics.find(one => one.name === 'order_value')).toMatchObject({
      kind: 'ratio',
      numerator: 'revenue',
      denominator: 'orders',
    })
  })
})
