import { describe, expect, it } from 'vitest'
import { importLayer } from '../../../src/semantic-layer/import/import-layer.ts'
import { lookmlCondition } from '../../../src/semantic-layer/import/lookml/measures.ts'
import { parseLookml } from '../../../src/semantic-layer/import/lookml/project.ts'

/** LookML has `${...}`, which is `@{...}` here except for constants. */
const lookml = (text: string): string => text.replace(/#\{/g, '$' + '{')

const views = lookml(`
# A comment
view: orders {
  sql_table_name: \`project.@{dataset}.orders\` ;;
  dimension: id { primary_key: yes type: number sql: #{TABLE}.id ;; }
  dimension: status { label: "Order Status" description: "Open \\"or\\" done" sql: #{TABLE}.status ;; }
  dimension: total { type: number sql: #{TABLE}.total ;; value_format_name: usd }
  dimension: is_big { type: yesno sql: #{total} > 100 ;; }
  dimension: buyer { sql: CONCAT(#{users.first}, ' ', #{users.last}) ;; }
  dimension: size { type: tier tiers: [10, 100] style: integer sql: #{total} ;; }
  dimension: kind {
    case: { when: { sql: #{status} = 'x' ;; label: "It's x" } else: "other" }
  }
  dimension: place { type: location sql_latitude: #{TABLE}.lat ;; sql_longitude: #{TABLE}.lon ;; }
  dimension: asked { sql: {% parameter unit %} ;; }
  dimension: day { type: date sql: #{created_date} ;; }
  dimension_group: created { type: time timeframes: [raw, time, date, month] sql: #{TABLE}.created_at ;; }
  dimension_group: shipped { type: time timeframes: [date] datatype: date sql: #{TABLE}.shipped_on ;; }
  dimension_group: shipping { type: duration intervals: [hour, day] sql_start: #{created_raw} ;; sql_end: #{shipped_raw} ;; }
  filter: search { type: string }
  parameter: unit { type: unquoted }
  measure: count { type: count drill_fields: [id] }
  measure: revenue { type: sum sql: #{total} ;; value_format_name: eur description: "Paid" }
  measure: big_revenue { type: sum sql: #{total} ;; filters: [is_big: "yes", status: "done,sent"] }
  measure: german { type: count filters: { field: users.country value: "-US" } }
  measure: buyers { type: count_distinct sql: #{user_id} ;; }
  measure: slowest { type: percentile percentile: 90 sql: #{TABLE}.hours ;; }
  measure: average_value { type: number sql: 1.0 * #{revenue} / NULLIF(#{count}, 0) ;; value_format_name: usd }
  measure: per_user { type: number sql: #{revenue} / #{users.count} ;; }
  measure: margin { type: number sql: SUM(#{total}) - SUM(#{TABLE}.cost) ;; }
  measure: running { type: running_total sql: #{revenue} ;; }
  measure: share { type: percent_of_total sql: #{revenue} ;; }
  measure: recent { type: count filters: [created_date: "7 days"] }
  measure: names { type: list list_field: status }
  measure: noise { type: number sql: STDDEV(#{total}) ;; }
  measure: through { type: number sql: #{noise} * 2 ;; }
  dimension: user_id { type: number hidden: yes sql: #{TABLE}.user_id ;; }
}
view: users {
  dimension: id { primary_key: yes type: number }
  dimension: first {}
  dimension: last {}
  dimension: full_name { sql: #{first} || #{last} ;; }
  dimension: country {}
  dimension: bare_order { sql: orders.status ;; }
  dimension: last_order { sql: #{orders.status} ;; }
  measure: count { type: count }
}
view: base { extension: required dimension: note {} }
view: facts {
  extends: [base]
  derived_table: { sql: SELECT 1 ;; }
  dimension: x {}
  measure: y { type: sum sql: #{x} ;; }
}
view: notes { extends: [base] sql_table_name: notes ;; dimension: id { primary_key: yes } }
view: +users { dimension: email {} dimension: country { label: "Home Country" } }
`)

const model = lookml(`
connection: "warehouse"
include: "*.view"
explore: orders {
  sql_always_where: #{orders.status} <> 'test' ;;
  join: users { relationship: many_to_one sql_on: #{orders.user_id} = #{users.id} ;; }
  join: seller { from: users relationship: many_to_one sql_on: #{seller.id} = #{orders.seller_id} ;; }
  join: notes { relationship: one_to_many sql_on: #{notes.order_id} = #{orders.id} ;; }
  join: facts { sql_on: #{facts.x} = #{orders.id} ;; }
  join: tags { sql: LEFT JOIN UNNEST(tags) ;; }
  join: many { from: users relationship: many_to_many sql_on: #{many.id} = #{orders.id} ;; }
  join: ranged { from: users sql_on: #{ranged.id} = #{orders.id} AND #{orders.total} > 1 ;; }
}
`)

const files = [
  { name: 'orders.view.lkml', text: views.replace('@{dataset}', '@{dataset}') },
  // Columns that no dimension has are referred to in joins.
  {
    name: 'more.view.lkml',
    text: lookml('view: +orders { dimension: seller_id {} }\nview: +notes { dimension: order_id {} }'),
  },
  { name: 'shop.model.lkml', text: model },
  { name: 'manifest.lkml', text: 'constant: dataset { value: "shop" }' },
]

const imported = importLayer('lookml', files)
const metric = (name: string) => imported.layer.metrics.find(one => one.name === name)
const modelNamed = (name: string) => imported.layer.models.find(one => one.name === name)
const dimension = (name: string, of = 'orders') => modelNamed(of)?.dimensions.find(one => one.name === name)
const reason = (name: string) => imported.skipped.find(one => one.name === name)?.why

describe('LookML', () => {
  it('makes models of views and joins of explores', () => {
    expect(modelNamed('orders')).toMatchObject({
      label: 'Order',
      table: { schema: 'shop', name: 'orders' },
      primaryKey: ['id'],
      timeDimension: 'created',
      joins: [
        { name: 'users', to: 'users', columns: [{ from: 'user_id', to: 'id' }] },
        { name: 'seller', to: 'users', columns: [{ from: 'seller_id', to: 'id' }] },
      ],
    })
    expect(modelNamed('users')).toMatchObject({
      table: { schema: null, name: 'users' },
      nameDimensions: ['full_name'],
    })
    expect(modelNamed('notes')?.joins).toEqual([
      { name: 'orders', to: 'orders', columns: [{ from: 'order_id', to: 'id' }] },
    ])
  })

  it('extends and refines views', () => {
    expect(modelNamed('notes')?.dimensions.map(one => one.name)).toContain('note')
    expect(modelNamed('base')).toBeUndefined()
    expect(dimension('email', 'users')).toBeDefined()
    expect(dimension('country', 'users')?.label).toBe('Home country')
  })

  it('translates dimensions', () => {
    expect(dimension('status')).toMatchObject({ label: 'Order status', description: 'Open "or" done' })
    expect(dimension('total')).toMatchObject({
      type: 'number',
      unit: { kind: 'currency', code: 'USD', scale: 1 },
    })
    expect(dimension('is_big')).toMatchObject({ type: 'boolean', expression: { text: 'total > 100' } })
    expect(dimension('buyer')?.expression).toEqual({
      kind: 'sql',
      text: "CONCAT(users.first, ' ', users.last)",
    })
    expect(dimension('size')?.expression).toMatchObject({
      text: "CASE WHEN (total) < 10 THEN 'Below 10' WHEN (total) < 100 THEN '10 to 99' WHEN (total) >= 100 THEN '100 or above' END",
    })
    expect(dimension('kind')?.expression).toMatchObject({
      text: "CASE WHEN status = 'x' THEN 'It''s x' ELSE 'other' END",
    })
    expect(dimension('place_latitude')).toMatchObject({ type: 'number', expression: { column: 'lat' } })
    expect(dimension('day')).toMatchObject({ type: 'date', expression: { text: 'CAST(created_at AS DATE)' } })
  })

  it('translates dimension groups', () => {
    expect(dimension('created')).toMatchObject({ type: 'timestamp', expression: { column: 'created_at' } })
    expect(dimension('shipped')).toMatchObject({ type: 'date' })
    expect(dimension('shipping')).toMatchObject({
      expression: { kind: 'duration', from: 'created', until: 'shipped', unit: 'day' },
      unit: { kind: 'duration', unit: 'day' },
    })
  })

  it('translates measures', () => {
    expect(metric('orders_count')).toMatchObject({ label: 'Number of orders', expression: null })
    expect(metric('revenue')).toMatchObject({
      description: 'Paid',
      unit: { kind: 'currency', code: 'EUR', scale: 1 },
      expression: { kind: 'column', column: 'total' },
    })
    expect(metric('big_revenue')).toMatchObject({ filters: ['(total > 100)', "status IN ('done', 'sent')"] })
    expect(metric('german')).toMatchObject({ filters: ["users.country <> 'US'"] })
    expect(metric('slowest')).toMatchObject({ aggregation: 'percentile', percentile: 0.9 })
    expect(metric('average_value')).toMatchObject({
      kind: 'ratio',
      numerator: 'revenue',
      denominator: 'orders_count',
      unit: { kind: 'currency', code: 'USD', scale: 1 },
    })
    expect(metric('per_user')).toMatchObject({ numerator: 'revenue', denominator: 'users_count' })
    expect(metric('margin')).toMatchObject({ kind: 'derived', formula: 'revenue - total_cost' })
    expect(metric('running')).toMatchObject({
      kind: 'cumulative',
      metric: 'revenue',
      window: null,
      toDate: null,
    })
  })

  it.each([
    ['orders.asked', /template/],
    ['orders.search', /input of a dashboard/],
    ['orders.unit', /input of a dashboard/],
    ['orders.share', /share of the total/],
    ['orders.recent', /"7 days" is a period/],
    ['orders.names', /list of values/],
    ['orders.noise', /STDDEV/],
    ['orders.through', /uses orders\.noise, which was skipped/],
    ['orders.sql_always_where', /whole explore/],
    ['users.last_order', /does not have one row each/],
    ['users.bare_order', /does not have one row each/],
    ['facts', /derived table/],
    ['facts.y', /facts was skipped/],
    ['orders.facts', /facts was skipped/],
    ['orders.tags', /no view tags/],
    ['orders.many', /many rows to many/],
    ['orders.ranged', /more than columns that are equal/],
  ])('skips %s with the reason', (name, why) => {
    expect(reason(name)).toMatch(why)
  })

  it('says where a file is wrong', () => {
    const broken = [
      { name: 'a.view.lkml', text: 'view: a {\n  dimension: b { sql: x }\n}' },
      { name: 'b.view.lkml', text: 'view: a {' },
    ]
    expect(() => importLayer('lookml', broken)).toThrow(
      /a\.view\.lkml: line 2, column \d+: sql does not end with ";;"[\s\S]*b\.view\.lkml: line 1.*not closed/,
    )
  })
})

describe('the syntax of LookML', () => {
  it('has blocks, lists, pairs, texts and code', () => {
    expect(parseLookml('a: yes b: "x # y" c: [d, e: "f"] g: h { sql: 1; 2 ;; }')).toEqual({
      name: '',
      body: [
        { key: 'a', value: 'yes' },
        { key: 'b', value: 'x # y' },
        { key: 'c', value: ['d', { name: '', body: [{ key: 'e', value: 'f' }] }] },
        { key: 'g', value: { name: 'h', body: [{ key: 'sql', value: '1; 2' }] } },
      ],
    })
  })
})

describe('filters of measures', () => {
  it.each([
    ['done', 'categorical', "x = 'done'"],
    ['-done', 'categorical', "x <> 'done'"],
    ['a%,b', 'categorical', "(x = 'b' OR x LIKE 'a%')"],
    ['"a, b"', 'categorical', "x = 'a, b'"],
    ['-a,-b', 'categorical', "NOT (x IN ('a', 'b'))"],
    ['-NULL', 'categorical', 'x IS NOT NULL'],
    ['EMPTY', 'categorical', "(x IS NULL OR x = '')"],
    ['yes', 'boolean', 'x'],
    ['No', 'boolean', 'NOT x'],
    ['>10', 'number', 'x > 10'],
    ['5, 6', 'number', '(x = 5 OR x = 6)'],
    ['[1, 5)', 'number', '(x >= 1 AND x < 5)'],
    ['NOT 3', 'number', 'x <> 3'],
    ['1 to 3', 'number', '(x >= 1 AND x <= 3)'],
  ] as const)('%s of a %s is %s', (value, type, sql) => {
    expect(lookmlCondition('x', value, type)).toBe(sql)
  })

  it.each([
    ['7 days', 'date'],
    ['maybe', 'boolean'],
    ['many', 'number'],
    ['{{ x }}', 'categorical'],
  ] as const)('%s of a %s is not understood', (value, type) => {
    expect(() => lookmlCondition('x', value, type)).toThrow(/Its filter/)
  })
})
