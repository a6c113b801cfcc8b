import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openFilled, readingSuite } from './bakery.ts'

const ddl = `
create table staff (id integer primary key, first_name text not null, last_name text not null, salary integer not null, hired_on date not null, left_on date);
create table clients (id integer primary key, first_name text not null, last_name text not null, city text, kind text not null, signed_up_on date not null);
create table outlets (id integer primary key, name text not null, city text not null, format text not null);
create table products (id integer primary key, name text not null, brand text, price_cents integer not null, cost_cents integer not null);
create table orders (id integer primary key, client_id integer not null references clients (id), outlet_id integer not null references outlets (id),
  placed_at timestamp not null, total_cents integer not null);
create table order_lines (order_id integer not null references orders (id), product_id integer not null references products (id),
  quantity integer not null, unit_price_cents integer not null, primary key (order_id, product_id));
create table returns (id integer primary key, order_id integer not null references orders (id), returned_on date not null);
create table reviews (id integer primary key, product_id integer not null references products (id), rating integer not null, written_on date not null);
create table ad_costs (id integer primary key, spent_on date not null, amount_cents integer not null);
create table tickets (id integer primary key, client_id integer not null references clients (id), agent_id integer not null references staff (id),
  status text not null, opened_at timestamp not null, closed_at timestamp);
`

const days = (from: string, count: number, step: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(from) + at * step * 86_400_000).toISOString().slice(0, 10),
  )

/** An outfitter with two outlets, made by arithmetic. */
const fill = (database: DatabaseSync): void => {
  database.exec(ddl)
  const insert = (table: string, rows: readonly (readonly (string | number | null)[])[]): void => {
    const statement = database.prepare(`insert into ${table} values (${rows[0]!.map(() => '?').join(', ')})`)
    for (const row of rows) statement.run(...row)
  }
  const firstNames = ['Ada', 'Bo', 'Cleo', 'Dan', 'Eli', 'Fay']
  const lastNames = ['Alm', 'Berg', 'Crona', 'Dahl', 'Ek', 'Falk']
  insert(
    'staff',
    firstNames.map((first, at) => [
      at + 1,
      first,
      lastNames[at]!,
      40_000 + at * 1_000,
      `20${16 + at}-03-01`,
      at === 5 ? '2026-01-31' : null,
    ]),
  )
  insert(
    'clients',
    Array.from({ length: 30 }, (_, at) => [
      at + 1,
      firstNames[(at * 5) % 6]!,
      lastNames[at % 6]!,
      at % 3 === 0 ? null : ['Lund', 'Oslo'][at % 2]!,
      at % 4 === 0 ? 'business' : 'private',
      days('2025-01-01', 30, 20)[at]!,
    ]),
  )
  insert('outlets', [
    [1, 'Harbor', 'Lund', 'city'],
    [2, 'Hill', 'Oslo', 'mall'],
  ])
  insert(
    'products',
    ['Small tent', 'Large tent', 'Stove', 'Boots', 'Jacket'].map((name, at) => [
      at + 1,
      name,
      at === 0 ? null : ['Fjord', 'Moss'][at % 2]!,
      10_000 + at * 5_000,
      6_000 + at * 2_000,
    ]),
  )
  const orderDays = days('2025-01-02', 200, 3)
  insert(
    'orders',
    orderDays.map((day, at) => [
      at + 1,
      (at % 25) + 1,
      (at % 2) + 1,
      `${day} ${String(8 + (at % 10)).padStart(2, '0')}:00:00`,
      10_000 + at * 10,
    ]),
  )
  insert(
    'order_lines',
    orderDays.map((_, at) => [at + 1, (at % 4) + 1, 1 + (at % 3), 10_000]),
  )
  insert(
    'returns',
    days('2025-02-01', 20, 30).map((day, at) => [at + 1, at * 9 + 1, day]),
  )
  insert(
    'reviews',
    days('2025-02-01', 40, 15).map((day, at) => [at + 1, (at % 5) + 1, (at % 5) + 1, day]),
  )
  insert(
    'ad_costs',
    days('2025-01-01', 60, 10).map((day, at) => [at + 1, day, 5_000 + at * 100]),
  )
  insert(
    'tickets',
    days('2025-03-01', 60, 10).map((day, at) => [
      at + 1,
      (at % 25) + 1,
      (at % 5) + 1,
      at % 6 === 0 ? 'open' : 'closed',
      `${day} 09:00:00`,
      at % 6 === 0 ? null : `${day} 15:00:00`,
    ]),
  )
}

const { readFirst } = readingSuite(() => openFilled('outfitter', fill))

const readWhole = (question: string) => {
  const { meaning, unused, sql } = readFirst(question)
  expect(unused).toEqual([])
  return { query: meaning.query, sql }
}

/** Today is Friday, November 20, 2026. */
describe('what sells, where nothing is named', () => {
  it.each([
    ['what sold best last week', '2026-11-09'],
    ['what do people buy in December', '2025-12-01'],
    ['what do most clients buy', null],
  ])('ranks products by how many were sold: %s', (question, from) => {
    const { query } = readWhole(question)
    expect(query.groupBy).toEqual([{ kind: 'model', model: 'product', via: null }])
    expect(query.order).toMatchObject([{ kind: 'metric', direction: 'desc' }])
    expect(query.limit).toBe(10)
    expect(query.period?.from ?? null).toBe(from)
  })

  it('keeps what is said of those who buy', () => {
    const { query } = readWhole('what do business clients buy most')
    expect(query.groupBy).toMatchObject([{ model: 'product' }])
    expect(query.filters).toMatchObject([{ kind: 'values', values: ['business'] }])
  })

  it('ranks brands by what sells of them', () => {
    const { query } = readWhole('which brand is most popular')
    expect(query.groupBy).toMatchObject([{ at: { dimension: 'brand' } }])
    expect(JSON.stringify(query.metrics)).toMatch(/quantity/)
  })
})

describe('when there is most to do', () => {
  it.each(['when are we busiest', 'when do most orders come in', 'when do people order most'])(
    'shows the days of the week: %s',
    question => {
      const { query } = readWhole(question)
      expect(query.metrics).toMatchObject([{ kind: 'made', model: 'order', aggregation: 'count' }])
      expect(query.groupBy).toEqual([{ kind: 'part', at: null, part: 'weekday' }])
      expect(query.limit).toBeNull()
    },
  )

  it('shows the month of a time that is over', () => {
    const { query } = readWhole('when did we sell the most')
    expect(query.groupBy).toEqual([{ kind: 'grain', at: null, grain: 'month' }])
    expect(query.limit).toBe(1)
  })
})

describe('what things cost', () => {
  it('is their price, and not what they cost us', () => {
    expect(readWhole('which products cost more than 200 euros').query.filters).toMatchObject([
      { kind: 'compare', at: { dimension: 'price_cents' }, operator: '>' },
    ])
    const { query } = readWhole('how much does the Stove cost')
    expect(query).toMatchObject({ rowsOf: 'product', show: [{ dimension: 'price_cents' }] })
  })

  it('is what they cost us where it is called so', () => {
    expect(JSON.stringify(readWhole('average unit cost of our products').query)).toContain('cost')
  })
})

describe('who did most', () => {
  it('is one of the staff, where customers cannot have done it', () => {
    const { query } = readWhole('who closed the most tickets this year')
    expect(query.groupBy).toMatchObject([{ kind: 'model', model: 'staff' }])
    expect(query.period).toMatchObject({ at: { dimension: 'closed_at' } })
  })

  it('is nobody where nothing says who did it', () => {
    expect(readFirst('who sold the most last month').unused).not.toEqual([])
  })
})

describe('what has gone on for some time', () => {
  const since = (days: string) => ({ kind: 'period', from: days, until: '2026-11-21', negated: false })

  it.each([
    ["clients who haven't ordered in 6 months", '2026-05-21'],
    ['which clients have not ordered for 90 days', '2026-08-23'],
    ['clients without orders for 3 months', '2026-08-21'],
  ])('lasts until today: %s', (question, from) => {
    expect(readWhole(question).query).toMatchObject({
      rowsOf: 'client',
      filters: [{ kind: 'related', model: 'order', negated: true, filters: [since(from)] }],
    })
  })

  it('began before that', () => {
    const { query } = readWhole('staff who have been here for over 5 years')
    expect(query.period).toMatchObject({ from: null, until: '2021-11-21', at: { dimension: 'hired_on' } })
    // Those who left are not here.
    expect(query.filters).toMatchObject([{ kind: 'segment' }])
  })
})

describe('those who came', () => {
  it('had something that happens at a time of day', () => {
    expect(readWhole('how many clients did we see last month').query.filters).toMatchObject([
      { kind: 'related', model: 'order', negated: false },
    ])
    expect(readWhole("which clients haven't been here this year").query.filters).toMatchObject([
      { kind: 'related', model: 'order', negated: true },
    ])
    // Nothing happens to outlets that would have a client of its own.
    expect(readFirst('how many ad costs did we see').unused).not.toEqual([])
  })

  it('for the first time or again keep what else is said of them', () => {
    const { query } = readWhole('new vs returning business clients this year')
    expect(query.metrics).toMatchObject([{ label: 'New clients' }, { label: 'Returning clients' }])
    expect(query.filters).toMatchObject([{ kind: 'values', values: ['business'] }])
  })
})

describe('what somebody has', () => {
  it('is described by the word before it', () => {
    expect(readWhole('which clients have open tickets').query).toMatchObject({
      rowsOf: 'client',
      filters: [{ kind: 'related', model: 'ticket', filters: [{ kind: 'values', values: ['open'] }] }],
    })
  })

  it('is good or bad by its rating', () => {
    expect(readWhole('which products have bad reviews').query.filters).toMatchObject([
      { kind: 'related', model: 'review', filters: [{ operator: '<=', value: 2 }] },
    ])
    expect(readWhole('how many good reviews did we get this month').query.filters).toMatchObject([
      { kind: 'compare', operator: '>=', value: 4 },
    ])
    expect(readFirst('how many good orders did we get').unused).not.toEqual([])
  })

  it('is its own column rather than a value of the same name', () => {
    expect(readWhole('list all outlets with their city').query).toMatchObject({
      filters: [],
      show: [{ model: 'outlet', dimension: 'city' }],
    })
    expect(readWhole('city outlets').query.filters).toMatchObject([{ values: ['city'] }])
  })
})

describe('rankings', () => {
  it('have no group without a name', () => {
    expect(readWhole('which city has the most clients').sql).toMatch(/city IS NOT NULL.*LIMIT 1/s)
    expect(readWhole('clients by city').sql).not.toContain('IS NOT NULL')
  })

  it('begin with the oldest', () => {
    const { query } = readWhole('which clients have the oldest open tickets')
    expect(query.order).toMatchObject([{ at: { dimension: 'opened_at' }, direction: 'asc' }])
  })

  it('of the best people go by what they sold, and not by what they earn', () => {
    expect(readFirst('who is our best client').meaning.query.order).toMatchObject([{ kind: 'metric' }])
    expect(readFirst('who are our best staff').sql).not.toMatch(/ORDER BY/)
  })

  it('of what grows compare this year with the last', () => {
    const { query } = readWhole('which outlet is growing the fastest')
    expect(query.compare).toMatchObject({ kind: 'period', from: '2025-01-01' })
    expect(query.groupBy).toMatchObject([{ model: 'outlet' }])
  })
})

describe('a share of what happened in a period', () => {
  it('is of the rows of that period', () => {
    const { query } = readWhole('what percentage of orders were returned last month')
    expect(query.period).toMatchObject({ from: '2026-10-01', until: '2026-11-01', at: null })
    expect(JSON.stringify(query.metrics)).not.toContain('2026-10-01')
  })

  it('is of all people, who are there before and after', () => {
    const { query } = readWhole('share of clients who ordered this year')
    expect(query.period).toBeNull()
    expect(JSON.stringify(query.metrics)).toContain('2026-01-01')
  })
})

describe('a figure of each', () => {
  it('row is the mean of them', () => {
    const { query } = readWhole('revenue per order by outlet')
    expect(query.metrics).toMatchObject([{ kind: 'ratio', denominator: { model: 'order' } }])
    expect(query.groupBy).toMatchObject([{ model: 'outlet' }])
  })

  it('of what it has nothing else in common with is one over the other', () => {
    const { query } = readWhole('ad costs per order')
    expect(query.metrics).toMatchObject([{ kind: 'ratio', denominator: { model: 'order' } }])
    expect(query.groupBy).toEqual([])
  })
})

describe('the mean of days', () => {
  it('is that of their totals, where rows add up', () => {
    expect(readWhole('average daily ad cost last month').query.running).toEqual({ kind: 'mean' })
    expect(readFirst('average monthly salary').meaning.query.running).toBeNull()
  })
})

describe('one month beside the one before', () => {
  it('is no series', () => {
    const { query } = readWhole('revenue last month vs the month before')
    expect(query.groupBy).toEqual([])
    expect(query.compare).toMatchObject({ kind: 'period', from: '2026-09-01', until: '2026-10-01' })
  })
})

describe('who is fast', () => {
  it('is not who is paid most, where nothing measures the time', () => {
    const { meaning, unused } = readFirst('which staff are the fastest')
    expect(meaning.query.order).toEqual([])
    expect(unused).toContain('the fastest')
  })
})
