import type {
  DimensionRef,
  GroupKey,
  MetricFilter,
  MetricUse,
} from '../../../../src/domain/metrics/metric-query.ts'
import { ref as at, by, is, isNot, each as rows } from './shop-query.ts'

/** What questions about one kind of thing can be made of. */
export interface Subject {
  readonly metrics: readonly string[]
  /** Those whose groups add up. */
  readonly additive: readonly string[]
  readonly cumulative: readonly string[]
  readonly made: readonly MetricUse[]
  readonly keys: readonly GroupKey[]
  readonly filters: readonly MetricFilter[]
  /** Whether its rows go by a date. */
  readonly hasDate: boolean
  /** Other dates that a period can be about. */
  readonly dates: readonly DimensionRef[]
  readonly list: {
    readonly model: string
    readonly show: readonly DimensionRef[]
    readonly filters: readonly MetricFilter[]
    readonly measured: readonly string[]
    readonly sortable: DimensionRef
    readonly isDated: boolean
  }
}

const month: GroupKey = { kind: 'grain', at: null, grain: 'month' }
const week: GroupKey = { kind: 'grain', at: null, grain: 'week' }
const weekday: GroupKey = { kind: 'part', at: null, part: 'weekday' }
const hour: GroupKey = { kind: 'part', at: null, part: 'hour' }
const monthOfYear: GroupKey = { kind: 'part', at: null, part: 'month-of-year' }

const compared = (
  name: string,
  operator: '<' | '<=' | '>' | '>=' | '=' | '<>',
  value: string | number,
): MetricFilter => ({ kind: 'compare', at: at(name), operator, value })

const missing = (name: string, negated = false): MetricFilter => ({ kind: 'missing', at: at(name), negated })

const segment = (name: string, negated = false): MetricFilter => ({
  kind: 'segment',
  segment: name,
  via: null,
  negated,
})

const related = (model: string, negated: boolean, filters: readonly MetricFilter[] = []): MetricFilter => ({
  kind: 'related',
  model,
  filters,
  negated,
})

const measured = (
  of: string,
  metric: string,
  operator: '<' | '<=' | '>' | '>=' | '=' | '<>',
  value: number,
  isDated = false,
): MetricFilter => ({
  kind: 'measured',
  of,
  metric: { kind: 'named', metric, filters: [] },
  operator,
  value,
  period: isDated ? { from: '2024-01-01', until: '2024-07-01' } : null,
})

const likes = (
  name: string,
  text: string,
  place: 'anywhere' | 'start' | 'end',
  negated = false,
): MetricFilter => ({
  kind: 'match',
  at: at(name),
  text,
  place,
  negated,
})

const inPeriod = (name: string, negated = false): MetricFilter => ({
  kind: 'period',
  at: at(name),
  from: '2024-01-01',
  until: '2024-03-01',
  negated,
})

const made = (
  label: string,
  model: string,
  aggregation: Extract<MetricUse, { kind: 'made' }>['aggregation'],
  of: Extract<MetricUse, { kind: 'made' }>['of'],
  percentile: number | null = null,
): MetricUse => ({ kind: 'made', label, model, aggregation, of, percentile, filters: [] })

const customerFilters = [
  is('customer.country', 'DE'),
  isNot('customer.country', 'DE', 'FR'),
  is('customer.is_business', true),
  missing('customer.country'),
  segment('domestic'),
  segment('domestic', true),
  segment('active'),
  segment('active', true),
  segment('quiet'),
  segment('quiet', true),
  measured('customer', 'order_count', '>', 4),
  measured('customer', 'order_count', '<', 3, true),
  measured('customer', 'revenue', '>=', 200),
  measured('customer', 'order_value', '>', 60),
  measured('customer', 'ticket_count', '=', 0),
  measured('customer', 'cancel_rate', '>', 0.1),
]

const orderSubject: Subject = {
  metrics: [
    'order_count',
    'canceled_orders',
    'freight',
    'average_freight',
    'highest_freight',
    'usual_freight',
    'buyers',
    'cancel_rate',
  ],
  additive: ['order_count', 'canceled_orders', 'freight'],
  cumulative: ['orders_this_year', 'orders_of_3_months'],
  made: [
    made('Lowest freight', 'order', 'min', at('order.freight')),
    made('Freight of nine in ten', 'order', 'percentile', at('order.freight'), 0.9),
    made('Days to ship', 'order', 'avg', {
      from: at('order.placed_at'),
      until: at('order.shipped_at'),
      unit: 'day',
    }),
    made('Minutes until due', 'order', 'median', {
      from: at('order.placed_at'),
      until: at('order.due_on'),
      unit: 'minute',
    }),
    made('Sellers', 'order', 'count_distinct', at('employee.id', 'seller')),
  ],
  keys: [
    by('customer.country'),
    by('order.status'),
    by('customer.is_business'),
    by('customer.country', 'customer referrer'),
    by('category.name'),
    by('tag.name'),
    rows('customer'),
    rows('product'),
    rows('employee', 'seller'),
    rows('employee', 'approver'),
    rows('employee', 'seller manager'),
    month,
    week,
    weekday,
    hour,
    monthOfYear,
    { kind: 'grain', at: at('order.shipped_at'), grain: 'month' },
    { kind: 'grain', at: at('order.paid_at'), grain: 'day' },
    { kind: 'part', at: at('order.paid_at'), part: 'hour' },
    { kind: 'grain', at: at('order.due_on'), grain: 'quarter' },
    { kind: 'cohort', of: 'customer', events: 'order', grain: 'quarter' },
  ],
  filters: [
    ...customerFilters,
    is('order.status', 'shipped', 'open'),
    isNot('order.status', 'canceled'),
    is('category.name', 'Tea', 'Cups'),
    isNot('category.name', 'Tea'),
    is('tag.name', 'organic'),
    isNot('tag.name', 'organic', 'gift'),
    missing('order.shipped_at'),
    missing('order.shipped_at', true),
    missing('category.name'),
    compared('order.freight', '>', 30),
    compared('order.hours_to_ship', '<=', 100),
    compared('order.placed_at', '<=', '2023-12-31'),
    compared('order.placed_at', '>', '2023-12-31'),
    compared('order.due_on', '=', '2024-01-06'),
    compared('order.paid_at', '<', '2024-01-01'),
    compared('product.price', '>', 30),
    { kind: 'compare-dimensions', left: at('order.shipped_at'), operator: '>', right: at('order.due_on') },
    { kind: 'compare-dimensions', left: at('order.due_on'), operator: '<=', right: at('order.shipped_at') },
    { kind: 'compare-dimensions', left: at('order.paid_at'), operator: '<', right: at('order.shipped_at') },
    inPeriod('order.shipped_at'),
    inPeriod('order.shipped_at', true),
    inPeriod('order.paid_at'),
    segment('special'),
    segment('special', true),
    segment('overdue'),
    segment('overdue', true),
    related('order_line', true),
    related('order_line', false, [is('product.is_dear', true), compared('order_line.quantity', '>', 3)]),
    related('ticket', true),
    related('ticket', false, [missing('ticket.topic', true)]),
    related('customer', true, [is('customer.country', 'DE')]),
    related('product', false, [is('tag.name', 'new')]),
  ],
  hasDate: true,
  dates: [at('order.shipped_at'), at('order.paid_at'), at('order.due_on'), at('customer.signed_up')],
  list: {
    model: 'order',
    show: [
      at('order.status'),
      at('customer.name'),
      at('customer.country'),
      at('employee.last_name', 'approver manager'),
    ],
    filters: [
      is('order.status', 'open'),
      missing('order.shipped_at'),
      segment('special'),
      related('order_line', true),
    ],
    measured: ['revenue', 'quantity', 'line_count'],
    sortable: at('order.placed_at'),
    isDated: true,
  },
}

const lineSubject: Subject = {
  metrics: ['revenue', 'quantity', 'list_value', 'cost', 'line_count', 'margin', 'margin_rate'],
  additive: ['revenue', 'quantity', 'list_value', 'line_count'],
  cumulative: ['revenue_so_far'],
  made: [
    made('Average amount', 'order_line', 'avg', at('order_line.amount')),
    made('Highest price', 'order_line', 'max', at('product.price')),
    made('Orders', 'order_line', 'count_distinct', at('order.id')),
    made('Usual quantity', 'order_line', 'median', at('order_line.quantity')),
  ],
  keys: [
    by('category.name'),
    by('product.is_dear'),
    by('order.status'),
    by('customer.country'),
    by('tag.name'),
    rows('product'),
    rows('customer'),
    rows('employee', 'order seller'),
    month,
    weekday,
    { kind: 'grain', at: at('order.shipped_at'), grain: 'week' },
    { kind: 'cohort', of: 'customer', events: 'order', grain: 'year' },
  ],
  filters: [
    ...customerFilters,
    is('category.name', 'Coffee'),
    isNot('category.name', 'Coffee'),
    missing('category.name'),
    is('product.is_dear', true),
    is('product.is_dear', false),
    is('tag.name', 'gift', 'new'),
    isNot('tag.name', 'gift'),
    likes('product.name', 'item 1', 'start'),
    compared('order_line.amount', '>', 50),
    compared('order.freight', '<', 20),
    segment('special'),
    measured('product', 'quantity', '>', 30),
    related('order', true, [is('order.status', 'shipped')]),
  ],
  hasDate: true,
  dates: [at('order.shipped_at')],
  list: {
    model: 'product',
    show: [at('category.name'), at('product.price'), at('product.is_dear')],
    filters: [
      is('tag.name', 'organic'),
      isNot('tag.name', 'organic'),
      is('product.is_dear', true),
      related('order_line', true),
    ],
    measured: ['revenue', 'quantity', 'order_count'],
    sortable: at('product.price'),
    isDated: false,
  },
}

const customerKeys = [by('customer.country'), by('customer.is_business'), rows('customer')]

const ticketSubject: Subject = {
  metrics: ['ticket_count', 'slow_minutes', 'tickets_per_100_orders'],
  additive: ['ticket_count'],
  cumulative: [],
  made: [
    made('Usual minutes', 'ticket', 'median', at('ticket.minutes')),
    made('Total minutes', 'ticket', 'sum', at('ticket.minutes')),
  ],
  keys: [
    ...customerKeys,
    month,
    weekday,
    { kind: 'cohort', of: 'customer', events: 'ticket', grain: 'month' },
  ],
  filters: [...customerFilters, inPeriod('customer.signed_up', true)],
  hasDate: true,
  dates: [at('customer.signed_up')],
  list: {
    model: 'ticket',
    show: [at('ticket.topic'), at('customer.name'), at('customer.country', 'customer referrer')],
    filters: [
      likes('ticket.topic', '50%', 'anywhere'),
      likes('ticket.topic', 'E', 'end', true),
      missing('ticket.closed_at'),
      segment('quiet', true),
    ],
    measured: [],
    sortable: at('ticket.opened_at'),
    isDated: true,
  },
}

/** Figures of several models side by side. */
const mixedSubject: Subject = {
  ...ticketSubject,
  metrics: [
    'order_count',
    'revenue',
    'ticket_count',
    'order_value',
    'tickets_per_100_orders',
    'average_freight',
    'slow_minutes',
    'margin',
    'shipping_hours',
  ],
  additive: ['order_count', 'revenue', 'ticket_count', 'margin'],
  cumulative: ['revenue_so_far', 'orders_this_year'],
  list: {
    model: 'customer',
    show: [at('customer.country'), at('customer.name', 'referrer')],
    filters: [
      is('customer.is_business', true),
      segment('active'),
      related('ticket', true),
      related('customer', false, [is('customer.country', 'FR')]),
    ],
    measured: ['order_count', 'revenue', 'ticket_count', 'order_value', 'average_freight'],
    sortable: at('customer.signed_up'),
    isDated: true,
  },
}

const customerSubject: Subject = {
  metrics: ['customer_count'],
  additive: ['customer_count'],
  cumulative: [],
  made: [made('Countries', 'customer', 'count_distinct', at('customer.country'))],
  keys: [
    by('customer.country'),
    by('customer.is_business'),
    by('order.status'),
    by('category.name'),
    by('ticket.topic'),
    rows('customer', 'referrer'),
    rows('employee', 'order seller'),
    { kind: 'grain', at: at('order.placed_at'), grain: 'month' },
    month,
    { kind: 'cohort', of: 'customer', events: 'order', grain: 'quarter' },
  ],
  filters: [
    ...customerFilters,
    is('order.status', 'canceled'),
    isNot('order.status', 'canceled'),
    is('category.name', 'Tea'),
    related('order', false, [is('category.name', 'Tea'), inPeriod('order.placed_at')]),
    related('customer', true),
    likes('customer.name', 'adler', 'start'),
    segment('special'),
  ],
  hasDate: true,
  dates: [],
  list: {
    model: 'customer',
    show: [at('customer.country'), at('customer.name', 'referrer')],
    filters: [
      likes('customer.name', 'O', 'anywhere'),
      segment('quiet'),
      measured('customer', 'order_count', '<=', 2),
    ],
    measured: ['order_count', 'quantity', 'usual_freight', 'buyers'],
    sortable: at('customer.signed_up'),
    isDated: true,
  },
}

const otherSubject: Subject = {
  metrics: ['product_count', 'average_price'],
  additive: ['product_count'],
  cumulative: [],
  made: [made('Usual price', 'product', 'median', at('product.price'))],
  keys: [
    by('category.name'),
    by('tag.name'),
    by('product.is_dear'),
    by('order.status'),
    by('customer.country'),
  ],
  filters: [
    is('tag.name', 'heavy', 'sale'),
    isNot('tag.name', 'heavy'),
    missing('tag.name'),
    is('category.name', 'Tea'),
    related('order', false, [is('order.status', 'gift')]),
  ],
  dates: [],
  hasDate: false,
  list: {
    model: 'employee',
    show: [at('employee.hired_on'), at('employee.last_name', 'manager')],
    filters: [
      related('employee', false),
      related('employee', true),
      related('order', false, [is('order.status', 'gift')]),
    ],
    measured: ['order_count', 'freight'],
    sortable: at('employee.hired_on'),
    isDated: true,
  },
}

export const subjects: readonly Subject[] = [
  orderSubject,
  orderSubject,
  lineSubject,
  lineSubject,
  mixedSubject,
  ticketSubject,
  customerSubject,
  otherSubject,
]
