import type {
  DateUnit,
  DimensionRef,
  MetricFilter,
  MetricUse,
} from '../../../../src/domain/metrics/metric-query.ts'
import { amountOf, dateOf, dimensionOf, rowsAlong, timeBetween, wayTo } from './reference-world.ts'
import type { Row, Value } from './shop-rows.ts'

/** One aggregation over rows of a model, as the reference computes it. */
export interface Measure {
  readonly model: string
  readonly aggregation: string
  readonly percentile: number
  /** Null for rows themselves. */
  readonly operand: ((row: Row) => Value) | null
  readonly filters: readonly MetricFilter[]
  readonly where: { readonly text: string; readonly test: (row: Row) => boolean } | null
  readonly time: DimensionRef | null
  readonly id: string
}

export type Calculation =
  | { readonly kind: 'measure'; readonly measure: Measure }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: '+' | '-' | '*' | '/'; readonly left: Calculation; readonly right: Calculation }
  | { readonly kind: 'running'; readonly of: Calculation; readonly how: RunningHow }

export type RunningHow =
  | { readonly kind: 'total' }
  | { readonly kind: 'to-date'; readonly unit: DateUnit }
  | { readonly kind: 'window'; readonly count: number }

type Simple = readonly [
  model: string,
  aggregation: string,
  operand?: ((row: Row) => Value) | undefined,
  more?: { readonly percentile?: number; readonly time?: string; readonly where?: Measure['where'] },
]

const product = (line: Row): Row | undefined => rowsAlong(line, wayTo('order_line', 'product', null))[0]

const times = (line: Row, value: Value | undefined): Value =>
  value === null || value === undefined ? null : Number(line.quantity) * Number(value)

const simple: Readonly<Record<string, Simple>> = {
  order_count: ['order', 'count'],
  canceled_orders: [
    'order',
    'count',
    undefined,
    { where: { text: 'canceled', test: ({ status }) => status === 'canceled' } },
  ],
  freight: ['order', 'sum', row => row.freight!],
  average_freight: ['order', 'avg', row => row.freight!],
  highest_freight: ['order', 'max', row => row.freight!],
  usual_freight: ['order', 'median', row => row.freight!],
  buyers: ['order', 'count_distinct', row => row.customer_id!],
  shipping_hours: [
    'order',
    'avg',
    row => timeBetween(row.placed_at!, row.shipped_at!, 'hour'),
    { time: 'shipped_at' },
  ],
  revenue: ['order_line', 'sum', amountOf],
  quantity: ['order_line', 'sum', row => row.quantity!],
  list_value: ['order_line', 'sum', line => times(line, product(line)?.price)],
  cost: [
    'order_line',
    'sum',
    line => {
      const cents = times(line, product(line)?.cost_cents)
      return cents === null ? null : Number(cents) / 100
    },
  ],
  line_count: ['order_line', 'count'],
  ticket_count: ['ticket', 'count'],
  slow_minutes: ['ticket', 'percentile', row => row.minutes!, { percentile: 0.9 }],
  customer_count: ['customer', 'count'],
  product_count: ['product', 'count'],
  average_price: ['product', 'avg', row => row.price!],
  employee_count: ['employee', 'count'],
}

const of = (name: string, filters: readonly MetricFilter[]): Calculation => {
  const calculate = (kind: '+' | '-' | '*' | '/', left: Calculation, right: Calculation): Calculation => ({
    kind,
    left,
    right,
  })
  const metric = (other: string): Calculation => of(other, filters)
  switch (name) {
    case 'margin':
      return calculate('-', metric('revenue'), metric('cost'))
    case 'margin_rate':
      return calculate('/', metric('margin'), metric('revenue'))
    case 'cancel_rate':
      return calculate('/', metric('canceled_orders'), metric('order_count'))
    case 'order_value':
      return calculate('/', metric('revenue'), metric('order_count'))
    case 'tickets_per_100_orders':
      return calculate(
        '/',
        calculate('*', { kind: 'number', value: 100 }, metric('ticket_count')),
        calculate('-', metric('order_count'), metric('canceled_orders')),
      )
    case 'revenue_so_far':
      return { kind: 'running', of: metric('revenue'), how: { kind: 'total' } }
    case 'orders_this_year':
      return { kind: 'running', of: metric('order_count'), how: { kind: 'to-date', unit: 'year' } }
    case 'orders_of_3_months':
      return { kind: 'running', of: metric('order_count'), how: { kind: 'window', count: 3 } }
    default:
      return simpleMeasure(name, filters)
  }
}

const simpleMeasure = (name: string, filters: readonly MetricFilter[]): Calculation => {
  const found = simple[name]
  if (found === undefined) throw new Error(`the reference knows no metric ${name}`)
  const [model, aggregation, operand = null, { percentile = 0.5, time, where = null } = {}] = found
  const date = dateOf[model]
  return {
    kind: 'measure',
    measure: {
      model,
      aggregation,
      percentile,
      operand,
      filters,
      where,
      time: date === undefined ? null : time === undefined ? date : { model, dimension: time, via: [] },
      id: JSON.stringify([name, filters]),
    },
  }
}

/** How a metric is calculated. */
export const calculationOf = (use: MetricUse): Calculation => {
  switch (use.kind) {
    case 'named':
      return of(use.metric, use.filters)
    case 'ratio':
      return { kind: '/', left: calculationOf(use.numerator), right: calculationOf(use.denominator) }
    case 'made': {
      const { of: operand } = use
      const at = (row: Row, ref: DimensionRef): Value => {
        const [partner] = rowsAlong(row, wayTo(use.model, ref.model, ref.via))
        return partner ? dimensionOf(ref.model, ref.dimension, partner) : null
      }
      return {
        kind: 'measure',
        measure: {
          model: use.model,
          aggregation: use.aggregation,
          percentile: use.percentile ?? 0.5,
          operand:
            operand === null
              ? null
              : 'dimension' in operand
                ? row => at(row, operand)
                : row => timeBetween(at(row, operand.from), at(row, operand.until), operand.unit),
          filters: use.filters,
          where: null,
          time: dateOf[use.model] ?? null,
          id: JSON.stringify(use),
        },
      }
    }
  }
}

/** The measures of a calculation. */
export const measuresOf = (calculation: Calculation): readonly Measure[] => {
  switch (calculation.kind) {
    case 'measure':
      return [calculation.measure]
    case 'number':
      return []
    case 'running':
      return measuresOf(calculation.of)
    default:
      return [...measuresOf(calculation.left), ...measuresOf(calculation.right)]
  }
}

/** The ways in which parts of a calculation add up over time. */
export const runningsOf = (calculation: Calculation): readonly RunningHow[] => {
  switch (calculation.kind) {
    case 'measure':
    case 'number':
      return []
    case 'running':
      return [calculation.how]
    default:
      return [...runningsOf(calculation.left), ...runningsOf(calculation.right)]
  }
}

/** The result of a calculation; nothing comes of a part that is missing, or of a division by 0. */
export const calculate = (
  calculation: Calculation,
  valueAt: (measure: Measure) => number | null,
  runningAt: (measure: Measure, how: RunningHow) => number | null = valueAt,
): number | null => {
  switch (calculation.kind) {
    case 'measure':
      return valueAt(calculation.measure)
    case 'number':
      return calculation.value
    case 'running':
      return calculate(calculation.of, measure => runningAt(measure, calculation.how))
    default: {
      const [left, right] = [
        calculate(calculation.left, valueAt, runningAt),
        calculate(calculation.right, valueAt, runningAt),
      ]
      if (left === null || right === null) return null
      switch (calculation.kind) {
        case '+':
          return left + right
        case '-':
          return left - right
        case '*':
          return left * right
        case '/':
          return right === 0 ? null : left / right
      }
    }
  }
}

/** An aggregation of values. */
export const aggregate = ({ aggregation, percentile }: Measure, values: readonly Value[]): number | null => {
  const present = values.filter(value => value !== null)
  const numbers = present.map(Number)
  const sum = numbers.reduce((a, b) => a + b, 0)
  switch (aggregation) {
    case 'count':
      return present.length
    case 'count_distinct':
      return new Set(present).size
    case 'sum':
      return present.length === 0 ? null : sum
    case 'avg':
      return present.length === 0 ? null : sum / present.length
    case 'min':
      return present.length === 0 ? null : Math.min(...numbers)
    case 'max':
      return present.length === 0 ? null : Math.max(...numbers)
    default: {
      const sorted = numbers.sort((a, b) => a - b)
      const place = (sorted.length - 1) * (aggregation === 'median' ? 0.5 : percentile)
      const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
      return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place))
    }
  }
}
