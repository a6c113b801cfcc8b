import type {
  Dimension,
  LayerExpression,
  Metric,
  MetricDefinition,
  ModelJoin,
  Segment,
  SemanticLayer,
  SemanticModel,
} from '../../../../src/domain/metrics/semantic-layer.ts'

const naming = (name: string) => ({
  name,
  label: `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`,
  synonyms: [],
  description: null,
})

const dimension = (
  name: string,
  type: Dimension['type'],
  expression: LayerExpression = { kind: 'column', column: name },
): Dimension => ({ ...naming(name), type, expression, values: null, unit: null, isKey: name === 'id' })

const sql = (text: string): LayerExpression => ({ kind: 'sql', text })

const join = (name: string, to: string, from: string): ModelJoin => ({
  name,
  to,
  columns: [{ from, to: 'id' }],
})

const model = (
  name: string,
  table: string,
  dimensions: readonly Dimension[],
  given: Partial<SemanticModel> = {},
): SemanticModel => ({
  ...naming(name),
  plural: `${name.replaceAll('_', ' ')}s`,
  table: { schema: null, name: table },
  primaryKey: ['id'],
  nameDimensions: ['name'],
  timeDimension: null,
  joins: [],
  status: 'accepted',
  ...given,
  dimensions: [dimension('id', 'number'), ...dimensions],
})

const models: readonly SemanticModel[] = [
  model(
    'customer',
    'customers',
    [
      dimension('name', 'categorical'),
      dimension('country', 'categorical'),
      dimension('is_business', 'boolean'),
      dimension('signed_up', 'date'),
    ],
    { timeDimension: 'signed_up', joins: [join('referrer', 'customer', 'referred_by')] },
  ),
  model(
    'employee',
    'employees',
    [
      dimension('first_name', 'categorical'),
      dimension('last_name', 'categorical'),
      dimension('hired_on', 'date'),
    ],
    {
      nameDimensions: ['first_name', 'last_name'],
      timeDimension: 'hired_on',
      joins: [join('manager', 'employee', 'manager_id')],
    },
  ),
  model('category', 'categories', [dimension('name', 'categorical')]),
  model(
    'product',
    'products',
    [
      dimension('name', 'categorical'),
      dimension('price', 'number'),
      dimension('is_dear', 'boolean', sql('price > 20 or cost_cents > 1500')),
    ],
    { joins: [join('category', 'category', 'category_id')] },
  ),
  model('tag', 'tags', [dimension('name', 'categorical')]),
  {
    ...model('product_tag', 'product_tags', [], {
      primaryKey: ['product_id', 'tag_id'],
      nameDimensions: ['product_id'],
      joins: [join('product', 'product', 'product_id'), join('tag', 'tag', 'tag_id')],
    }),
    dimensions: [dimension('product_id', 'number'), dimension('tag_id', 'number')],
  },
  model(
    'order',
    'orders',
    [
      dimension('status', 'categorical'),
      dimension('placed_at', 'timestamp'),
      dimension('shipped_at', 'timestamp'),
      dimension('due_on', 'date'),
      dimension('paid_at', 'timestamp'),
      dimension('freight', 'number'),
      dimension('hours_to_ship', 'number', {
        kind: 'duration',
        from: 'placed_at',
        until: 'shipped_at',
        unit: 'hour',
      }),
    ],
    {
      nameDimensions: ['id'],
      timeDimension: 'placed_at',
      joins: [
        join('customer', 'customer', 'customer_id'),
        join('seller', 'employee', 'seller_id'),
        join('approver', 'employee', 'approver_id'),
      ],
    },
  ),
  model(
    'order_line',
    'order_lines',
    [
      dimension('quantity', 'number'),
      dimension('amount', 'number', sql('quantity * unit_price * (1 - coalesce(discount, 0))')),
    ],
    {
      nameDimensions: ['id'],
      timeDimension: 'order.placed_at',
      joins: [join('order', 'order', 'order_id'), join('product', 'product', 'product_id')],
    },
  ),
  model(
    'ticket',
    'tickets',
    [
      dimension('topic', 'categorical'),
      dimension('minutes', 'number'),
      dimension('opened_at', 'timestamp'),
      dimension('closed_at', 'timestamp'),
    ],
    {
      nameDimensions: ['id'],
      timeDimension: 'opened_at',
      joins: [join('customer', 'customer', 'customer_id')],
    },
  ),
]

const metric = (name: string, definition: MetricDefinition): Metric => ({
  ...naming(name),
  unit: null,
  goodDirection: null,
  status: 'accepted',
  ...definition,
})

const simple = (
  of: string,
  aggregation: Extract<MetricDefinition, { kind: 'simple' }>['aggregation'],
  expression: LayerExpression | null = null,
  given: Partial<Extract<MetricDefinition, { kind: 'simple' }>> = {},
): MetricDefinition => ({
  kind: 'simple',
  model: of,
  aggregation,
  expression,
  percentile: null,
  filters: [],
  timeDimension: null,
  ...given,
})

const column = (name: string): LayerExpression => ({ kind: 'column', column: name })

const metrics: readonly Metric[] = [
  metric('order_count', simple('order', 'count')),
  metric('canceled_orders', simple('order', 'count', null, { filters: ["status = 'canceled'"] })),
  metric('freight', simple('order', 'sum', column('freight'))),
  metric('average_freight', simple('order', 'avg', column('freight'))),
  metric('highest_freight', simple('order', 'max', column('freight'))),
  metric('usual_freight', simple('order', 'median', column('freight'))),
  metric('buyers', simple('order', 'count_distinct', column('customer_id'))),
  metric(
    'shipping_hours',
    simple(
      'order',
      'avg',
      { kind: 'duration', from: 'placed_at', until: 'shipped_at', unit: 'hour' },
      { timeDimension: 'shipped_at' },
    ),
  ),
  metric('revenue', simple('order_line', 'sum', sql('quantity * unit_price * (1 - coalesce(discount, 0))'))),
  metric('quantity', simple('order_line', 'sum', column('quantity'))),
  metric('list_value', simple('order_line', 'sum', sql('quantity * product.price'))),
  metric('cost', simple('order_line', 'sum', sql('quantity * product.cost_cents / 100.0'))),
  metric('line_count', simple('order_line', 'count')),
  metric('ticket_count', simple('ticket', 'count')),
  metric('slow_minutes', simple('ticket', 'percentile', column('minutes'), { percentile: 0.9 })),
  metric('customer_count', simple('customer', 'count')),
  metric('product_count', simple('product', 'count')),
  metric('average_price', simple('product', 'avg', column('price'))),
  metric('employee_count', simple('employee', 'count')),
  metric('margin', { kind: 'derived', formula: 'revenue - cost' }),
  metric('margin_rate', { kind: 'ratio', numerator: 'margin', denominator: 'revenue' }),
  metric('cancel_rate', { kind: 'ratio', numerator: 'canceled_orders', denominator: 'order_count' }),
  metric('order_value', { kind: 'ratio', numerator: 'revenue', denominator: 'order_count' }),
  metric('tickets_per_100_orders', {
    kind: 'derived',
    formula: '100 * ticket_count / (order_count - canceled_orders)',
  }),
  metric('revenue_so_far', { kind: 'cumulative', metric: 'revenue', window: null, toDate: null }),
  metric('orders_this_year', { kind: 'cumulative', metric: 'order_count', window: null, toDate: 'year' }),
  metric('orders_of_3_months', {
    kind: 'cumulative',
    metric: 'order_count',
    window: { count: 3, unit: 'month' },
    toDate: null,
  }),
]

const segment = (name: string, of: string, conditions: Segment['conditions']): Segment => ({
  ...naming(name),
  model: of,
  conditions,
  status: 'accepted',
})

const segments: readonly Segment[] = [
  segment('domestic', 'customer', [{ kind: 'sql', text: "country = 'DE'" }]),
  segment('active', 'customer', [
    { kind: 'related', model: 'order', negated: false, where: ["status <> 'canceled'"], days: 150 },
  ]),
  segment('quiet', 'customer', [
    { kind: 'sql', text: "country <> 'NO' or is_business" },
    { kind: 'related', model: 'ticket', negated: true, where: [], days: null },
  ]),
  segment('overdue', 'order', [
    { kind: 'past', dimension: 'due_on' },
    { kind: 'sql', text: 'shipped_at is null' },
  ]),
  segment('special', 'order', [{ kind: 'sql', text: "freight > 40 or status = 'gift'" }]),
]

/** A layer over the tables of the shop, as somebody would write it by hand. */
export const shopLayer: SemanticLayer = { models, metrics, segments }

/** The day that the last days of a segment end with. */
export const shopToday = '2024-12-15'
