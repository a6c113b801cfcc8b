import { describe, expect, it } from 'vitest'
import { importLayer } from '../../../src/semantic-layer/import/import-layer.ts'

const text = `
version: "0.2.0.dev0"
semantic_model:
  - name: shop
    ai_context: Answer briefly.
    datasets:
      - name: orders
        source: db.public.fct_orders
        primary_key: [order_id]
        ai_context: { synonyms: [purchases] }
        fields:
          - { name: order_id, expression: { dialects: [{ dialect: ANSI_SQL, expression: order_id }] } }
          - name: placed_on
            datatype: Date
            expression: { dialects: [{ dialect: ANSI_SQL, expression: placed_at }] }
          - name: net
            description: Without tax.
            expression:
              dialects:
                - { dialect: SNOWFLAKE, expression: "ZEROIFNULL(total) - tax" }
                - { dialect: ANSI_SQL, expression: total - tax }
          - name: doubled
            expression: { dialects: [{ dialect: ANSI_SQL, expression: net * 2 }] }
          - name: buyer_name
            expression: { dialects: [{ dialect: ANSI_SQL, expression: buyers.full_name }] }
          - name: cell
            expression: { dialects: [{ dialect: MDX, expression: "[Measures].[x]" }] }
      - name: buyers
        source: buyers
        primary_key: [id]
        fields:
          - { name: id, expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] } }
          - name: full_name
            expression: { dialects: [{ dialect: ANSI_SQL, expression: "first || ' ' || last" }] }
          - name: order_total
            expression: { dialects: [{ dialect: ANSI_SQL, expression: orders.net }] }
      - name: recent
        source: SELECT * FROM fct_orders WHERE placed_at > '2026-01-01'
        fields:
          - { name: id, expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] } }
    relationships:
      - { name: order_buyer, from: orders, to: buyers, from_columns: [buyer_id], to_columns: [id] }
      - { name: order_recent, from: orders, to: recent, from_columns: [order_id], to_columns: [id] }
    metrics:
      - name: Revenue
        description: Sum of net totals.
        ai_context: { synonyms: [turnover] }
        expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.net) }] }
      - name: per_buyer
        expression:
          dialects: [{ dialect: ANSI_SQL, expression: "SUM(orders.net) / NULLIF(COUNT(DISTINCT orders.buyer_id), 0)" }]
      - name: orders_count
        expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(orders.order_id) }] }
      - name: german
        expression:
          dialects: [{ dialect: ANSI_SQL, expression: "SUM(orders.net) FILTER (WHERE buyers.country = 'DE')" }]
      - name: spread
        expression: { dialects: [{ dialect: ANSI_SQL, expression: STDDEV(orders.net) }] }
      - name: ranked
        expression: { dialects: [{ dialect: ANSI_SQL, expression: "SUM(orders.net) OVER ()" }] }
    custom_extensions:
      - { vendor_name: OTHER, data: "{}" }
`

const imported = importLayer('ossie', [{ name: 'shop.yml', text }])
const metric = (name: string) => imported.layer.metrics.find(one => one.name === name)
const reason = (name: string) => imported.skipped.find(one => one.name === name)?.why
const dimension = (model: string, name: string) =>
  imported.layer.models.find(one => one.name === model)?.dimensions.find(one => one.name === name)

describe('Ossie', () => {
  it('makes models of datasets', () => {
    expect(imported.layer.models.map(one => one.name)).toEqual(['orders', 'buyers'])
    expect(imported.layer.models[0]).toMatchObject({
      table: { schema: 'public', name: 'fct_orders' },
      synonyms: ['purchase'],
      timeDimension: 'placed_on',
      joins: [{ name: 'order_buyer', to: 'buyers', columns: [{ from: 'buyer_id', to: 'id' }] }],
    })
    expect(imported.layer.models[1]).toMatchObject({ nameDimensions: ['full_name'] })
  })

  it('puts fields in the place of their names', () => {
    expect(dimension('orders', 'net')).toMatchObject({ expression: { kind: 'sql', text: 'total - tax' } })
    expect(dimension('orders', 'doubled')?.expression).toEqual({ kind: 'sql', text: '(total - tax) * 2' })
    expect(dimension('orders', 'buyer_name')?.expression).toEqual({
      kind: 'sql',
      text: "buyers.first || ' ' || buyers.last",
    })
  })

  it('takes fields without a type that are added up for numbers', () => {
    expect(dimension('orders', 'net')?.type).toBe('number')
    expect(dimension('orders', 'order_id')).toMatchObject({ type: 'categorical', isKey: true })
  })

  it('translates metrics', () => {
    expect(metric('revenue')).toMatchObject({
      label: 'Revenue',
      synonyms: ['turnover'],
      model: 'orders',
      aggregation: 'sum',
      expression: { kind: 'sql', text: 'total - tax' },
    })
    expect(metric('per_buyer')).toMatchObject({
      kind: 'ratio',
      numerator: 'revenue',
      denominator: 'number_of_different_buyer_id_values',
    })
    expect(metric('orders_count')).toMatchObject({ aggregation: 'count', expression: null })
    expect(metric('german')).toMatchObject({ filters: ["buyers.country = 'DE'"] })
  })

  it.each([
    ['recent', /come from a query/],
    ['recent.id', /dataset recent was skipped/],
    ['order_recent', /recent was not translated/],
    ['orders.cell', /only written in MDX/],
    ['buyers.order_total', /does not have one row each/],
    ['spread', /STDDEV/],
    ['ranked', /window function/],
    ['shop', /prose/],
    ['shop: OTHER (1 place)', /their own tool/],
  ])('skips %s with the reason', (name, why) => {
    expect(reason(name)).toMatch(why)
  })

  it('reports what is wrong with the files, all of it', () => {
    const files = [
      { name: 'a.yml', text: 'semantic_model:\n  - name: x\n    datasets:\n      - source: t' },
      { name: 'b.yml', text: 'a: [' },
    ]
    expect(() => importLayer('ossie', files)).toThrow(
      /a\.yml: semantic_model\.x\.datasets\.0\.name[\s\S]*b\.yml: line 1/,
    )
  })
})
