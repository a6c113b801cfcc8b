import type { DimensionRef, MetricFilter, MetricUse } from '../../../../src/domain/metrics/metric-query.ts'
import {
  dateOf,
  dayBefore,
  dimensionOf,
  isToOne,
  type NamedStep,
  rowsAlong,
  timeTypeOf,
  wayTo,
  world,
} from './reference-world.ts'
import { shopToday } from './shop-layer.ts'
import type { Row, Value } from './shop-rows.ts'

/** A number for rows, as `measured` filters need it; set by the module that knows metrics. */
export interface FilterHelpers {
  /** The figure of a metric over the rows that belong to one row of a model; null if it has none. */
  readonly figureFor: (
    use: MetricUse,
    of: string,
    row: Row,
    period: { readonly from: string | null; readonly until: string | null } | null,
  ) => { readonly value: number | null; readonly isTotal: boolean }
}

/** The rows that a row is grouped by, by the names of the steps to them. */
export type Bindings = ReadonlyMap<string, Row>

export const pathOf = (way: readonly NamedStep[]): string => way.map(({ name }) => name).join('/')

/** True, false, or null where a value that nobody knows decides. */
type Truth = boolean | null

const and = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true

const or = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false

const not = (truth: Truth): Truth => (truth === null ? null : !truth)

type Operator = '<' | '<=' | '>' | '>=' | '=' | '<>'

export const compareValues = (left: Value, operator: Operator, right: Value): Truth => {
  if (left === null || right === null) return null
  const [a, b] = [plain(left), plain(right)]
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '=':
      return a === b
    case '<>':
      return a !== b
  }
}

const plain = (value: Value): string | number => (typeof value === 'string' ? value : Number(value))

/** A value beside one from the question: a moment counts by its day. */
const compareAsked = (dimension: string, value: Value, operator: Operator, asked: Value): Truth =>
  compareValues(
    timeTypeOf(dimension) === 'timestamp' && value !== null ? String(value).slice(0, 10) : value,
    operator,
    asked,
  )

/** Whether a moment lies in a period. */
export const isInPeriod = (
  moment: Value,
  { from, until }: { readonly from: string | null; readonly until: string | null },
): Truth => {
  if (from === null && until === null) return true
  if (moment === null) return null
  const day = String(moment).slice(0, 10)
  return (from === null || day >= from) && (until === null || day < until)
}

/** The dimension that a filter is about, and what must be true of its value. */
const testOf = (
  filter: MetricFilter,
): {
  readonly at: DimensionRef
  readonly test: (value: Value) => Truth
  readonly negated: boolean
} | null => {
  switch (filter.kind) {
    case 'values': {
      const { at, values } = filter
      return {
        at,
        negated: filter.negated,
        test: value => or(values.map(one => compareAsked(at.dimension, value, '=', one))),
      }
    }
    case 'compare': {
      const { at, operator, value: asked } = filter
      return { at, negated: false, test: value => compareAsked(at.dimension, value, operator, asked) }
    }
    case 'match': {
      const text = filter.text.toLowerCase()
      const test = (value: Value): Truth => {
        if (value === null) return null
        const own = String(value).toLowerCase()
        return filter.place === 'start'
          ? own.startsWith(text)
          : filter.place === 'end'
            ? own.endsWith(text)
            : own.includes(text)
      }
      return { at: filter.at, negated: filter.negated, test }
    }
    case 'missing':
      return { at: filter.at, negated: !filter.negated, test: value => value !== null }
    case 'period':
      return { at: filter.at, negated: filter.negated, test: value => isInPeriod(value, filter) }
    default:
      return null
  }
}

/** Rows at the end of a way that agree with the rows that are grouped by. */
const rowsBound = (row: Row, way: readonly NamedStep[], bound: Bindings): readonly Row[] => {
  const last = way.findLastIndex((_, at) => bound.has(pathOf(way.slice(0, at + 1))))
  return last === -1
    ? rowsAlong(row, way)
    : rowsAlong(bound.get(pathOf(way.slice(0, last + 1)))!, way.slice(last + 1))
}

/** A row without the partner that would have the many is not one "without" them. */
const hasPartner = (row: Row, way: readonly NamedStep[]): boolean => {
  const toMany = way.findIndex(step => !step.isToOne)
  return rowsAlong(row, way.slice(0, Math.max(0, toMany))).length > 0
}

/** Whether a row meets a filter. `bound` are the rows that it is grouped by, if the filter is about these. */
export const meets = (
  model: string,
  row: Row,
  filter: MetricFilter,
  helpers: FilterHelpers,
  bound: Bindings = new Map(),
): boolean => truthOf(model, row, filter, helpers, bound) === true

const truthOf = (
  model: string,
  row: Row,
  filter: MetricFilter,
  helpers: FilterHelpers,
  bound: Bindings,
): Truth => {
  const about = testOf(filter)
  if (about !== null) {
    const { at, test, negated } = about
    const way = wayTo(model, at.model, at.via)
    const value = (one: Row): Value => dimensionOf(at.model, at.dimension, one)
    if (isToOne(way)) {
      const [partner] = rowsAlong(row, way)
      if (filter.kind === 'missing')
        return (partner === undefined || value(partner) === null) !== filter.negated
      if (partner === undefined) return null
      return negated ? not(test(value(partner))) : test(value(partner))
    }
    // "Not" is about all of the many, whatever they are grouped by.
    return negated
      ? hasPartner(row, way) && !rowsAlong(row, way).some(one => test(value(one)) === true)
      : rowsBound(row, way, bound).some(one => test(value(one)) === true)
  }
  switch (filter.kind) {
    case 'compare-dimensions': {
      const side = (ref: DimensionRef): Value => {
        const [partner] = rowsAlong(row, wayTo(model, ref.model, ref.via))
        return partner ? dimensionOf(ref.model, ref.dimension, partner) : null
      }
      const [left, right] = [side(filter.left), side(filter.right)]
      const isMixed = timeTypeOf(filter.left.dimension) !== timeTypeOf(filter.right.dimension)
      const cut = (value: Value): Value => (isMixed && typeof value === 'string' ? value.slice(0, 10) : value)
      return compareValues(cut(left), filter.operator, cut(right))
    }
    case 'segment': {
      const { model: of, test } = segments[filter.segment]!
      const way = wayTo(model, of, filter.via)
      if (!isToOne(way))
        return filter.negated
          ? hasPartner(row, way) && !rowsAlong(row, way).some(one => test(one) === true)
          : rowsBound(row, way, bound).some(one => test(one) === true)
      const [partner] = rowsAlong(row, way)
      if (partner === undefined) return null
      return filter.negated ? not(test(partner)) : test(partner)
    }
    case 'related': {
      const way = model === filter.model ? wayTo(model, model, [model]) : wayTo(model, filter.model, null)
      const some = rowsAlong(row, way).some(one =>
        filter.filters.every(inner => meets(filter.model, one, inner, helpers)),
      )
      if (!filter.negated) return some
      return hasPartner(row, way) && !some
    }
    case 'measured': {
      const [target] = rowsAlong(row, wayTo(model, filter.of, null))
      if (target === undefined) return null
      const { value, isTotal } = helpers.figureFor(filter.metric, filter.of, target, filter.period)
      return compareValues(value ?? (isTotal ? 0 : null), filter.operator, filter.value)
    }
    case 'any':
      return or(filter.filters.map(inner => truthOf(model, row, inner, helpers, new Map())))
    default:
      throw new Error(`the reference does not know ${filter.kind}`)
  }
}

const day = (row: Row, of: string): Value => {
  const date = dateOf[of]!
  const [at] = rowsAlong(row, wayTo(of, date.model, date.via))
  return at ? dimensionOf(date.model, date.dimension, at) : null
}

/** What the segments of the shop mean. */
const segments: Readonly<Record<string, { readonly model: string; readonly test: (row: Row) => Truth }>> = {
  domestic: { model: 'customer', test: ({ country }) => compareValues(country!, '=', 'DE') },
  active: {
    model: 'customer',
    test: ({ id }) =>
      world.order.some(
        order =>
          order.customer_id === id &&
          order.status !== 'canceled' &&
          isInPeriod(day(order, 'order'), { from: dayBefore(shopToday, 150, 'day'), until: null }) === true,
      ),
  },
  quiet: {
    model: 'customer',
    test: ({ id, country, is_business: isBusiness }) =>
      and([
        or([compareValues(country!, '<>', 'NO'), isBusiness === true]),
        !world.ticket.some(ticket => ticket.customer_id === id),
      ]),
  },
  overdue: {
    model: 'order',
    test: ({ due_on: due, shipped_at: shipped }) =>
      and([compareValues(due!, '<', shopToday), shipped === null]),
  },
  special: {
    model: 'order',
    test: ({ freight, status }) => or([compareValues(freight!, '>', 40), status === 'gift']),
  },
}
