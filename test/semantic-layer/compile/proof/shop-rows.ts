import { makeRandom } from '../../../../src/lib/random.ts'

/** A value of a row. Days are `YYYY-MM-DD`, moments `YYYY-MM-DD HH:MM:SS`. */
export type Value = string | number | boolean | null

export type Row = Readonly<Record<string, Value>>

/** The tables of an invented wholesaler, in the order in which they can be filled. */
export const tableNames = [
  'customers',
  'employees',
  'categories',
  'products',
  'tags',
  'product_tags',
  'orders',
  'order_lines',
  'tickets',
] as const

export type TableName = (typeof tableNames)[number]

const random = makeRandom(20_241_123)
const below = (limit: number): number => Math.floor(random() * limit)
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
const maybe = <Item>(chance: number, make: () => Item): Item | null => (random() < chance ? make() : null)
const many = (count: number, make: (id: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => make(at + 1))

const isoDay = (offset: number): string =>
  new Date(Date.UTC(2023, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10)

/** The edges of days, weeks, months and years, and any other moment. Some months have none at all. */
const edges = [
  '2023-01-01',
  '2023-12-31',
  '2024-01-01',
  '2024-02-29',
  '2024-03-31',
  '2024-07-01',
  '2024-12-30',
]
const clocks = ['00:00:00', '23:59:59', '12:30:15', '08:00:01']
const anyDay = (): string => {
  const day = random() < 0.15 ? pick(edges) : isoDay(below(714))
  return day.startsWith('2023-06') || day.startsWith('2024-08') ? anyDay() : day
}
const anyMoment = (): string => `${anyDay()} ${pick(clocks)}`
const later = (moment: string, seconds: number): string =>
  new Date(Date.parse(`${moment.replace(' ', 'T')}Z`) + seconds * 1000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
const cents = (limit: number): number => below(limit * 100) / 100

const customers = many(40, id => ({
  id,
  // Two of them share a name.
  name: id === 7 ? 'Adler' : `${pick(['Adler', 'Bianchi', 'Costa', 'Dubois', 'Eriksen'])} ${id}`,
  country: maybe(0.85, () => pick(['DE', 'FR', 'IT', 'NO'])),
  is_business: random() < 0.4,
  signed_up: anyDay(),
  referred_by: id > 3 ? maybe(0.4, () => 1 + below(id - 1)) : null,
}))

const employees = many(9, id => ({
  id,
  first_name: pick(['Ada', 'Bo', 'Cy']),
  last_name: `Quist${id}`,
  manager_id: id > 2 ? maybe(0.8, () => 1 + below(2)) : null,
  hired_on: maybe(0.9, anyDay),
}))

const categories = many(5, id => ({ id, name: ['Tea', 'Coffee', 'Cups', 'Kettles', 'Spoons'][id - 1]! }))

const products = many(18, id => ({
  id,
  name: `Item ${id}`,
  category_id: maybe(0.85, () => 1 + below(4)),
  price: cents(40) + 1,
  cost_cents: maybe(0.9, () => 50 + below(2000)),
}))

const tags = many(6, id => ({ id, name: ['organic', 'new', 'gift', 'heavy', 'sale', 'unused'][id - 1]! }))

const productTags = products.flatMap(({ id }) =>
  [1, 2, 3, 4, 5].filter(() => random() < 0.3).map(tag => ({ product_id: id!, tag_id: tag })),
)

const orders = many(150, id => {
  const placed = anyMoment()
  const shipped = maybe(0.75, () => later(placed, below(12 * 86_400)))
  return {
    id,
    customer_id: maybe(0.9, () => 1 + below(34)),
    seller_id: 1 + below(8),
    approver_id: maybe(0.5, () => 1 + below(8)),
    status: pick(['open', 'shipped', 'shipped', 'canceled', 'gift']),
    placed_at: placed,
    shipped_at: shipped,
    due_on: maybe(0.8, () => later(placed, 6 * 86_400).slice(0, 10)),
    paid_at: maybe(0.7, () => later(placed, below(3 * 86_400))),
    freight: maybe(0.8, () => cents(60)),
  }
})

const lines = orders.flatMap(({ id }) =>
  Array.from({ length: below(4) }, (_, at) => ({
    id: Number(id) * 10 + at,
    order_id: id!,
    product_id: maybe(0.92, () => 1 + below(16)),
    quantity: 1 + below(6),
    unit_price: cents(40) + 0.5,
    discount: maybe(0.3, () => pick([0.1, 0.25, 0.5])),
  })),
)

const tickets = many(70, id => {
  const opened = anyMoment()
  return {
    id,
    customer_id: 1 + below(36),
    opened_at: opened,
    closed_at: maybe(0.8, () => later(opened, 60 + below(500_000))),
    minutes: maybe(0.9, () => 5 + below(240)),
    topic: maybe(0.8, () => pick(['price', 'delivery', 'damage', '50% off'])),
  }
})

/** All rows. They are the same each time. */
export const shopRows: Readonly<Record<TableName, readonly Row[]>> = {
  customers,
  employees,
  categories,
  products,
  tags,
  product_tags: productTags,
  orders,
  order_lines: lines,
  tickets,
}

/** The zone that moments of `paid_at` are in: an hour from UTC, without a change of clocks. */
export const shopZone = 'Africa/Lagos'
