import { type Row, shopRows, type Value } from './shop-rows.ts'

/**
 * The shop in plain JavaScript: how to get from a row to others, and what each dimension of it is. Nothing here knows of
 * SQL, or of the layer that the compiler reads.
 */

export type ModelName = keyof typeof world

const {
  customers,
  employees,
  categories,
  products,
  tags,
  product_tags: productTags,
  orders,
  order_lines: lines,
  tickets,
} = shopRows

export const world = {
  customer: customers,
  employee: employees,
  category: categories,
  product: products,
  tag: tags,
  product_tag: productTags,
  order: orders,
  order_line: lines,
  ticket: tickets,
} as const

/** One way to go from a row of a model: to one row at most, or to many. */
interface Step {
  readonly to: ModelName
  readonly isToOne: boolean
  readonly go: (row: Row) => readonly Row[]
}

const one = (to: ModelName, column: string): Step => ({
  to,
  isToOne: true,
  go: row => world[to].filter(other => row[column] !== null && other.id === row[column]),
})

const all = (to: ModelName, column: string): Step => ({
  to,
  isToOne: false,
  go: row => world[to].filter(other => other[column] === row.id),
})

const steps: Readonly<Record<ModelName, Readonly<Record<string, Step>>>> = {
  customer: {
    referrer: one('customer', 'referred_by'),
    customer: all('customer', 'referred_by'),
    order: all('order', 'customer_id'),
    ticket: all('ticket', 'customer_id'),
  },
  employee: {
    manager: one('employee', 'manager_id'),
    employee: all('employee', 'manager_id'),
    order: all('order', 'seller_id'),
  },
  category: { product: all('product', 'category_id') },
  product: {
    category: one('category', 'category_id'),
    order_line: all('order_line', 'product_id'),
    product_tag: all('product_tag', 'product_id'),
  },
  tag: { product_tag: all('product_tag', 'tag_id') },
  product_tag: { product: one('product', 'product_id'), tag: one('tag', 'tag_id') },
  order: {
    customer: one('customer', 'customer_id'),
    seller: one('employee', 'seller_id'),
    approver: one('employee', 'approver_id'),
    order_line: all('order_line', 'order_id'),
  },
  order_line: { order: one('order', 'order_id'), product: one('product', 'product_id') },
  ticket: { customer: one('customer', 'customer_id') },
}

/** The way from a model to another that somebody who knows the shop would take. */
const usualWays: Readonly<Record<string, string>> = {
  'customer order': 'order',
  'customer ticket': 'ticket',
  'customer order_line': 'order order_line',
  'customer product': 'order order_line product',
  'customer category': 'order order_line product category',
  'customer employee': 'order seller',
  'employee order': 'order',
  'employee customer': 'order customer',
  'category product': 'product',
  'product category': 'category',
  'product order_line': 'order_line',
  'product order': 'order_line order',
  'product tag': 'product_tag tag',
  'product customer': 'order_line order customer',
  'order customer': 'customer',
  'order employee': 'seller',
  'order order_line': 'order_line',
  'order product': 'order_line product',
  'order category': 'order_line product category',
  'order tag': 'order_line product product_tag tag',
  'order ticket': 'customer ticket',
  'order_line order': 'order',
  'order_line product': 'product',
  'order_line category': 'product category',
  'order_line customer': 'order customer',
  'order_line employee': 'order seller',
  'order_line tag': 'product product_tag tag',
  'ticket customer': 'customer',
  'ticket order': 'customer order',
}

/** A step with its name. */
export interface NamedStep extends Step {
  readonly name: string
}

/** The steps from a model to another, along the names if there are any. */
export const wayTo = (from: string, to: string, via: readonly string[] | null): readonly NamedStep[] => {
  if (via === null && from === to) return []
  const names = via ?? usualWays[`${from} ${to}`]?.split(' ')
  if (names === undefined) throw new Error(`the reference knows no way from ${from} to ${to}`)
  let at = from as ModelName
  return names.map(name => {
    const step = steps[at][name]
    if (step === undefined) throw new Error(`the reference knows no ${name} of ${at}`)
    at = step.to
    return { ...step, name }
  })
}

/** All rows at the end of a way. */
export const rowsAlong = (row: Row, way: readonly NamedStep[]): readonly Row[] =>
  way.reduce<readonly Row[]>((rows, step) => rows.flatMap(step.go), [row])

export const isToOne = (way: readonly NamedStep[]): boolean => way.every(step => step.isToOne)

/** Hours, or other units, from one moment to another. */
export const timeBetween = (from: Value, until: Value, unit: 'second' | 'minute' | 'hour' | 'day'): Value => {
  if (from === null || until === null) return null
  const at = (moment: Value): number => Date.parse(`${String(moment).slice(0, 10)}T${clockOf(moment)}Z`)
  return (at(until) - at(from)) / { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }[unit]
}

const clockOf = (moment: Value): string => String(moment).slice(11) || '00:00:00'

/** What a line costs its customer. */
export const amountOf = (line: Row): number =>
  Number(line.quantity) * Number(line.unit_price) * (1 - Number(line.discount ?? 0))

/** Dimensions that are no column. */
const computed: Readonly<Record<string, (row: Row) => Value>> = {
  'product.is_dear': ({ price, cost_cents: cost }) =>
    Number(price) > 20 || (cost === null ? null : Number(cost) > 1500),
  'order.hours_to_ship': ({ placed_at: from, shipped_at: until }) => timeBetween(from!, until!, 'hour'),
  'order_line.amount': amountOf,
}

/** The value of a dimension of a row. */
export const dimensionOf = (model: string, dimension: string, row: Row): Value => {
  const compute = computed[`${model}.${dimension}`]
  if (compute) return compute(row)
  const value = row[dimension]
  if (value === undefined) throw new Error(`the reference knows no ${dimension} of ${model}`)
  return value
}

const typesOfTime: Readonly<Record<string, 'date' | 'timestamp'>> = {
  signed_up: 'date',
  hired_on: 'date',
  due_on: 'date',
  placed_at: 'timestamp',
  shipped_at: 'timestamp',
  paid_at: 'timestamp',
  opened_at: 'timestamp',
  closed_at: 'timestamp',
}

/** Whether a dimension has days or moments; null if it has neither. */
export const timeTypeOf = (dimension: string): 'date' | 'timestamp' | null => typesOfTime[dimension] ?? null

/** The date that rows of a model go by. */
export const dateOf: Readonly<
  Record<string, { readonly model: ModelName; readonly dimension: string; readonly via: readonly string[] }>
> = {
  customer: { model: 'customer', dimension: 'signed_up', via: [] },
  employee: { model: 'employee', dimension: 'hired_on', via: [] },
  order: { model: 'order', dimension: 'placed_at', via: [] },
  order_line: { model: 'order', dimension: 'placed_at', via: ['order'] },
  ticket: { model: 'ticket', dimension: 'opened_at', via: [] },
}

/** The dimensions that say which row it is. */
export const namesOf = (model: string): readonly string[] =>
  model === 'employee'
    ? ['first_name', 'last_name']
    : model === 'product_tag'
      ? ['product_id']
      : ['order', 'order_line', 'ticket'].includes(model)
        ? ['id']
        : ['name']

/** An ISO day so many units before; the last day of the month if there is no such day. */
export const dayBefore = (
  day: string,
  count: number,
  unit: 'day' | 'week' | 'month' | 'quarter' | 'year',
): string => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  if (unit === 'day' || unit === 'week')
    return new Date(Date.UTC(year, month - 1, date - count * (unit === 'week' ? 7 : 1)))
      .toISOString()
      .slice(0, 10)
  const months = count * { month: 1, quarter: 3, year: 12 }[unit]
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** The first day of the unit that a moment lies in; weeks begin on Monday. */
export const startOfUnit = (moment: string, unit: 'day' | 'week' | 'month' | 'quarter' | 'year'): string => {
  const day = moment.slice(0, 10)
  const [year, month] = day.split('-') as [string, string]
  switch (unit) {
    case 'day':
      return day
    case 'week':
      return dayBefore(day, (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7, 'day')
    case 'month':
      return `${year}-${month}-01`
    case 'quarter':
      return `${year}-${String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
    case 'year':
      return `${year}-01-01`
  }
}

/** Weekdays from 1 (Monday), hours from 0, months from 1. */
export const partOfMoment = (moment: string, part: 'weekday' | 'hour' | 'month-of-year'): number => {
  const day = moment.slice(0, 10)
  if (part === 'hour') return Number(moment.slice(11, 13) || 0)
  if (part === 'month-of-year') return Number(day.slice(5, 7))
  return ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
}
