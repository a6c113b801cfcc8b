import { describe, expect, it } from 'vitest'
import { importLayer } from '../../../src/semantic-layer/import/import-layer.ts'

const text = `
cubes:
  - name: orders
    sql_table: public.orders
    joins:
      - { name: users, sql: "{CUBE}.user_id = {users.id}", relationship: many_to_one }
      - { name: lines, sql: "{orders.id} = {lines}.order_id", relationship: one_to_many }
      - { name: rates, sql: "{CUBE}.day >= {rates}.day", relationship: many_to_one }
      - { name: nowhere, sql: "{CUBE}.x = {nowhere}.x" }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: "{CUBE}.status", type: string, title: Order Status }
      - { name: created_at, sql: created_at, type: time }
      - { name: is_open, sql: "{status} = 'open'", type: boolean }
      - { name: buyer, sql: "UPPER({users.full_name})", type: string }
      - name: size
        type: string
        case:
          when:
            - { sql: "{CUBE}.total > 100", label: large }
          else: { label: small }
      - { name: spot, type: geo, latitude: { sql: lat }, longitude: { sql: lon } }
      - { name: line_total, sql: "{lines.total}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: total, type: sum, format: currency, title: Total Revenue, description: Paid. }
      - name: done
        type: count
        filters: [{ sql: "{CUBE}.status = 'done'" }]
      - { name: done_share, sql: "100.0 * {done} / NULLIF({count}, 0)", type: number, format: percent }
      - { name: average, sql: "1.0 * {revenue} / {CUBE.count}", type: number }
      - { name: margin, sql: "({revenue} - SUM({CUBE}.cost)) / {revenue}", type: number }
      - { name: buyers, sql: user_id, type: count_distinct_approx }
      - { name: week, sql: total, type: sum, rolling_window: { trailing: 7 day } }
      - { name: all_time, sql: total, type: sum, rolling_window: { trailing: unbounded } }
      - { name: year, sql: total, type: sum, rolling_window: { type: to_date, granularity: year } }
      - { name: hour, sql: total, type: sum, rolling_window: { trailing: 3 hour } }
      - { name: share, sql: "{revenue}", type: number, multi_stage: true }
      - { name: label, sql: "MAX(name)", type: string }
      - { name: bare, sql: total, type: number }
    segments:
      - { name: open_orders, sql: "{CUBE}.status = 'open'" }
      - { name: tenant, sql: "{SECURITY_CONTEXT.id}" }
    pre_aggregations:
      - { name: main, measures: [count] }
  - name: users
    sql: SELECT * FROM public.users
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: full_name, sql: "first_name || ' ' || last_name", type: string }
    measures:
      - { name: count, type: count }
  - name: lines
    sql_table: lines
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: note, sql: "{orders.status}", type: string }
    measures: [{ name: total, sql: amount, type: sum }]
  - name: rates
    sql: SELECT day, AVG(x) FROM r GROUP BY 1
    dimensions: [{ name: day, sql: day, type: time }]
  - name: big_orders
    extends: orders
    sql_table: public.big_orders
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }]
`

const imported = importLayer('cube', [{ name: 'model.yml', text }])
const metric = (name: string, from = imported) => from.layer.metrics.find(one => one.name === name)
const model = (name: string, from = imported) => from.layer.models.find(one => one.name === name)
const dimension = (name: string, of = 'orders') => model(of)?.dimensions.find(one => one.name === name)
const reason = (name: string, from = imported) => from.skipped.find(one => one.name === name)?.why

describe('Cube models', () => {
  it('become models with joins in the direction of their keys', () => {
    expect(model('orders')).toMatchObject({
      label: 'Order',
      table: { schema: 'public', name: 'orders' },
      primaryKey: ['id'],
      timeDimension: 'created_at',
      joins: [{ name: 'users', to: 'users', columns: [{ from: 'user_id', to: 'id' }] }],
    })
    expect(model('lines')?.joins).toEqual([
      { name: 'orders', to: 'orders', columns: [{ from: 'order_id', to: 'id' }] },
    ])
    expect(model('users')?.table).toEqual({ schema: 'public', name: 'users' })
  })

  it('inherit members', () => {
    expect(model('big_orders')?.table.name).toBe('big_orders')
    expect(dimension('status', 'big_orders')).toBeDefined()
    expect(metric('big_orders_revenue')).toMatchObject({ model: 'big_orders' })
  })

  it('have dimensions with references resolved', () => {
    expect(dimension('status')).toMatchObject({
      label: 'Order status',
      expression: { kind: 'column', column: 'status' },
    })
    expect(dimension('is_open')).toMatchObject({ type: 'boolean', expression: { text: "status = 'open'" } })
    expect(dimension('buyer')?.expression).toEqual({
      kind: 'sql',
      text: "UPPER((users.first_name || ' ' || users.last_name))",
    })
    expect(dimension('size')?.expression).toEqual({
      kind: 'sql',
      text: "CASE WHEN total > 100 THEN 'large' ELSE 'small' END",
    })
    expect(dimension('spot_longitude')).toMatchObject({ type: 'number', expression: { column: 'lon' } })
    expect(dimension('note', 'lines')?.expression).toEqual({ kind: 'sql', text: 'orders.status' })
  })

  it('have measures as metrics with names of their own', () => {
    expect(metric('orders_count')).toMatchObject({ label: 'Number of orders', expression: null })
    expect(metric('orders_revenue')).toMatchObject({
      label: 'Total revenue',
      unit: { kind: 'currency', code: null, scale: 1 },
      expression: { kind: 'column', column: 'total' },
    })
    expect(metric('orders_done')).toMatchObject({ filters: ["status = 'done'"] })
    expect(metric('orders_done_share')).toMatchObject({
      kind: 'ratio',
      numerator: 'orders_done',
      denominator: 'orders_count',
      unit: { kind: 'percent', scale: 100 },
    })
    expect(metric('orders_average')).toMatchObject({ kind: 'ratio', numerator: 'orders_revenue' })
    expect(metric('orders_margin')).toMatchObject({
      kind: 'derived',
      formula: '(orders_revenue - total_cost) / orders_revenue',
    })
    expect(metric('total_cost')).toMatchObject({ model: 'orders', expression: { column: 'cost' } })
  })

  it('have rolling windows as cumulative metrics', () => {
    expect(metric('orders_week')).toMatchObject({
      metric: 'orders_revenue',
      window: { count: 7, unit: 'day' },
    })
    expect(metric('orders_all_time')).toMatchObject({ window: null, toDate: null })
    expect(metric('orders_year')).toMatchObject({ window: null, toDate: 'year' })
  })

  it('have segments, and views that only include', () => {
    expect(imported.layer.segments[0]).toMatchObject({
      name: 'open_orders',
      model: 'orders',
      conditions: [{ kind: 'sql', text: "status = 'open'" }],
    })
    expect(imported.translated).toContainEqual(expect.objectContaining({ kind: 'view', name: 'sales' }))
  })

  it.each([
    ['orders.rates', /more than columns that are equal/],
    ['orders.nowhere', /no cube nowhere/],
    ['orders.line_total', /measure of another cube/],
    ['orders.hour', /3 hour/],
    ['orders.share', /several stages/],
    ['orders.label', /type string/],
    ['orders.bare', /column total without an aggregate/],
    ['orders.tenant', /SECURITY_CONTEXT/],
    ['rates', /come from a query/],
    ['rates.day', /cube rates was skipped/],
  ])('skip %s with the reason', (name, why) => {
    expect(reason(name)).toMatch(why)
  })

  it('skip files that are templates', () => {
    const result = importLayer('cube', [{ name: 'a.yml', text: 'cubes:\n{% for x in y %}\n{% endfor %}' }])
    expect(reason('a.yml', result)).toMatch(/meta\?extended=true/)
  })
})

describe('answers of /v1/meta', () => {
  // SQL is the text of a template literal.
  const own = '$' + '{CUBE}'
  const users = '$' + '{Users}'
  const extended = {
    cubes: [
      {
        name: 'Orders',
        title: 'Orders',
        type: 'cube',
        sql: '`SELECT * FROM public.orders`',
        joins: [{ name: 'Users', relationship: 'belongsTo', sql: `\`${own}.user_id = ${users}.id\`` }],
        measures: [
          {
            name: 'Orders.count',
            title: 'Orders Count',
            shortTitle: 'Count',
            aggType: 'count',
            type: 'number',
          },
          {
            name: 'Orders.totalAmount',
            shortTitle: 'Total Amount',
            aggType: 'sum',
            type: 'number',
            sql: '`amount`',
            filters: [{ sql: `\`${own}.status = 'done'\`` }],
          },
        ],
        dimensions: [
          { name: 'Orders.id', shortTitle: 'Id', type: 'number', primaryKey: true, sql: '`id`' },
          { name: 'Orders.createdAt', shortTitle: 'Created At', type: 'time', sql: `\`${own}.created_at\`` },
        ],
        segments: [{ name: 'Orders.done', shortTitle: 'Done', sql: `\`${own}.status = 'done'\`` }],
      },
      {
        name: 'Users',
        type: 'cube',
        sql: '`SELECT * FROM users`',
        measures: [],
        dimensions: [{ name: 'Users.id', type: 'number', primaryKey: true, sql: '`id`' }],
        segments: [],
      },
      {
        name: 'sales',
        type: 'view',
        measures: [{ name: 'sales.count', aggType: 'count' }],
        dimensions: [],
        segments: [],
      },
    ],
  }

  it('are read with their SQL', () => {
    const result = importLayer('cube', [{ name: 'meta.json', text: JSON.stringify(extended) }])
    expect(result.skipped).toEqual([])
    expect(model('orders', result)).toMatchObject({
      table: { schema: 'public', name: 'orders' },
      joins: [{ name: 'users', columns: [{ from: 'user_id', to: 'id' }] }],
    })
    expect(metric('total_amount', result)).toMatchObject({
      label: 'Total amount',
      filters: ["status = 'done'"],
    })
    expect(metric('orders_count', result)?.label).toBe('Number of orders')
  })

  it('without SQL are skipped, with what to ask for', () => {
    const plain = {
      cubes: [{ name: 'orders', type: 'cube', measures: [{ name: 'orders.count', aggType: 'count' }] }],
    }
    const result = importLayer('cube', [{ name: 'meta.json', text: JSON.stringify(plain) }])
    expect(reason('orders', result)).toMatch(/extended=true/)
  })
})

describe('Cube: errors', () => {
  it('name the place', () => {
    expect(() =>
      importLayer('cube', [{ name: 'a.yml', text: 'cubes:\n  - name: orders\n    measures: 3' }]),
    ).toThrow(/a\.yml: cubes\.orders\.measures/)
    expect(() => importLayer('cube', [{ name: 'a.yml', text: 'models: []' }])).toThrow(
      /neither "cubes" nor "views"/,
    )
  })
})
