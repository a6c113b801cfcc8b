import { describe, expect, it } from 'vitest'
import { importLayer } from '../../../src/semantic-layer/import/import-layer.ts'

const text = `
name: SHOP
tables:
  - name: ORDERS
    synonyms: [purchases]
    base_table: { database: DB, schema: PUBLIC, table: FCT_ORDERS }
    primary_key: { columns: [ORDER_ID] }
    dimensions:
      - { name: ORDER_ID, expr: O_ID, data_type: NUMBER }
      - { name: STATUS, expr: O_STATUS, data_type: VARCHAR, sample_values: [open, done], is_enum: true }
      - { name: CHANNEL, expr: CHANNEL, data_type: VARCHAR, sample_values: [web] }
      - { name: IS_OPEN, expr: "STATUS = 'open'", data_type: BOOLEAN }
    time_dimensions:
      - { name: ORDER_DATE, expr: O_DATE, data_type: DATE }
    facts:
      - { name: NET, expr: O_TOTAL - O_TAX, data_type: NUMBER, description: Net total in US dollars. }
      - { name: COST, expr: O_COST, data_type: NUMBER, default_aggregation: sum }
      - { name: LINES, expr: COUNT(LINES.ID), data_type: NUMBER }
    metrics:
      - { name: REVENUE, expr: SUM(NET), synonyms: [turnover], description: "Net revenue (USD)" }
      - { name: ORDER_COUNT, expr: COUNT(*) }
      - { name: AVERAGE_ORDER, expr: "DIV0(REVENUE, ORDER_COUNT)" }
      - { name: BALANCE, expr: SUM(NET), non_additive_dimensions: [{ table: ORDERS, dimension: ORDER_DATE }] }
      - { name: RAW, expr: NET }
    filters:
      - { name: OPEN_ONLY, expr: IS_OPEN, synonyms: [pending] }
  - name: CUSTOMERS
    base_table: { schema: PUBLIC, table: DIM_CUSTOMER }
    primary_key: { columns: [CUSTOMER_ID] }
    dimensions:
      - { name: CUSTOMER_ID, expr: C_ID, data_type: NUMBER }
      - { name: CUSTOMER_NAME, expr: C_NAME, data_type: VARCHAR }
    metrics:
      - { name: CUSTOMER_COUNT, expr: COUNT(DISTINCT CUSTOMER_ID) }
  - name: RECENT
    base_table: { definition: SELECT 1 AS X }
    dimensions: [{ name: X, expr: X, data_type: NUMBER }]
relationships:
  - name: ORDERS_CUSTOMERS
    left_table: ORDERS
    right_table: CUSTOMERS
    relationship_columns: [{ left_column: CUST, right_column: CUSTOMER_ID }]
  - { name: ORDERS_RECENT, left_table: ORDERS, right_table: RECENT, relationship_columns: [{ left_column: A, right_column: X }] }
metrics:
  - { name: REVENUE_PER_CUSTOMER, expr: ORDERS.REVENUE / CUSTOMERS.CUSTOMER_COUNT }
verified_queries:
  - name: top
    question: "who buys
most"
    sql: SELECT 1
custom_instructions: Round everything.
`

const imported = importLayer('snowflake-view', [{ name: 'shop.yaml', text }])
const metric = (name: string) => imported.layer.metrics.find(one => one.name === name)
const dimension = (name: string) =>
  imported.layer.models.find(one => one.name === 'orders')?.dimensions.find(one => one.name === name)
const reason = (name: string) => imported.skipped.find(one => one.name === name)?.why

describe('semantic views', () => {
  it('make models of tables; keys are columns of the database', () => {
    expect(imported.layer.models[0]).toMatchObject({
      name: 'orders',
      synonyms: ['purchase'],
      table: { schema: 'PUBLIC', name: 'FCT_ORDERS' },
      primaryKey: ['O_ID'],
      timeDimension: 'order_date',
      joins: [{ name: 'orders_customers', to: 'customers', columns: [{ from: 'CUST', to: 'C_ID' }] }],
    })
    expect(imported.layer.models[1]).toMatchObject({ nameDimensions: ['customer_name'] })
  })

  it('have values only where the file says that they are all', () => {
    expect(dimension('status')).toMatchObject({
      values: ['open', 'done'],
      expression: { column: 'O_STATUS' },
    })
    expect(dimension('channel')?.values).toBeNull()
  })

  it('put columns in the place of names', () => {
    expect(dimension('is_open')).toMatchObject({ type: 'boolean', expression: { text: "O_STATUS = 'open'" } })
    expect(dimension('net')).toMatchObject({
      type: 'number',
      unit: { kind: 'currency', code: 'USD', scale: 1 },
    })
  })

  it('have metrics of tables and of the view', () => {
    expect(metric('revenue')).toMatchObject({
      expression: { kind: 'sql', text: 'O_TOTAL - O_TAX' },
      synonyms: ['turnover'],
      unit: { kind: 'currency', code: 'USD', scale: 1 },
    })
    expect(metric('order_count')).toMatchObject({ model: 'orders', aggregation: 'count', expression: null })
    expect(metric('average_order')).toMatchObject({
      kind: 'ratio',
      numerator: 'revenue',
      denominator: 'order_count',
    })
    expect(metric('customer_count')).toMatchObject({ aggregation: 'count', expression: null })
    expect(metric('revenue_per_customer')).toMatchObject({
      numerator: 'revenue',
      denominator: 'customer_count',
    })
    expect(metric('total_cost')).toMatchObject({ aggregation: 'sum', expression: { column: 'O_COST' } })
  })

  it('have filters as segments', () => {
    expect(imported.layer.segments).toMatchObject([
      { name: 'open_only', model: 'orders', conditions: [{ kind: 'sql', text: "O_STATUS = 'open'" }] },
    ])
  })

  it.each([
    ['ORDERS.LINES', /several rows/],
    ['ORDERS.BALANCE', /must not be added up/],
    ['ORDERS.RAW', /without an aggregate/],
    ['RECENT', /come from a query/],
    ['RECENT.X', /RECENT was skipped/],
    ['ORDERS_RECENT', /RECENT was skipped/],
    ['top', /verified query/],
    ['SHOP', /knowledge\//],
  ])('skip %s with the reason', (name, why) => {
    expect(reason(name)).toMatch(why)
  })

  it('report every problem', () => {
    expect(() => importLayer('snowflake-view', [{ name: 'a.yaml', text: 'name: x\ntables: []' }])).toThrow(
      /a\.yaml: tables/,
    )
  })
})
