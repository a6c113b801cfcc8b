import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import { buildLayer } from '../../../src/semantic-layer/build/build-layer.ts'
import { layerFile, openShop, term } from '../shop.ts'

let shop: OpenDatabase

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => shop.close())

const build = (...terms: readonly ReturnType<typeof term>[]) =>
  buildLayer({ files: [], terms }, shop.database.catalog)

describe('a term of the glossary', () => {
  it('is a metric if it is an aggregation; a factor is the scale of its unit', () => {
    const { layer, notes } = build(
      term('net revenue', "sum(orders.total_cents) FILTER (WHERE orders.status <> 'cancelled') / 100.0", {
        synonyms: ['Net sales'],
        meaning: 'What orders brought in, in euros.',
      }),
      term('buyers', 'count(DISTINCT orders.customer_id)'),
      term('entries', 'count(*) FILTER (WHERE audit_log.note IS NOT NULL)'),
    )
    expect(notes).toEqual([])
    expect(layer.metrics.slice(0, 3)).toMatchObject([
      {
        name: 'net_revenue',
        label: 'Net revenue',
        synonyms: ['net sales'],
        model: 'order',
        aggregation: 'sum',
        expression: { kind: 'column', column: 'total_cents' },
        filters: ["orders.status <> 'cancelled'"],
        unit: { kind: 'currency', scale: 0.01 },
        status: 'accepted',
      },
      { name: 'buyers', aggregation: 'count_distinct', unit: { kind: 'count' } },
      { name: 'entries', model: 'audit_log', aggregation: 'count', expression: null },
    ])
  })

  it('is a formula over its aggregations if there are several', () => {
    const { layer } = build(
      term(
        'shipping share',
        'round(100.0 * sum(orders.shipping_eur) / nullif(sum(orders.total_cents), 0), 2)',
      ),
      term('stock value', 'sum(order_lines.quantity * products.cost_cents) * 3'),
    )
    expect(layer.metrics.slice(0, 5)).toMatchObject([
      { name: 'shipping_share_part_1', expression: { column: 'shipping_eur' } },
      { name: 'shipping_share_part_2', expression: { column: 'total_cents' } },
      { name: 'shipping_share', formula: '((100 * shipping_share_part_1) / shipping_share_part_2)' },
      { name: 'stock_value_part_1', model: 'order_line' },
      { name: 'stock_value', formula: '(stock_value_part_1 * 3)' },
    ])
  })

  it('is a segment if it is a condition', () => {
    const { layer } = build(
      term('club member', "customers.segment = 'club'", { synonyms: ['loyalty member'] }),
    )
    expect(layer.segments[0]).toMatchObject({
      name: 'club_member',
      label: 'Club member',
      synonyms: ['loyalty member'],
      model: 'customer',
      conditions: [{ kind: 'sql', text: "customers.segment = 'club'" }],
      status: 'accepted',
    })
  })

  it.each([
    ['(SELECT sum(x) FROM y)', 'write its columns as table.column'],
    ['orders.total_cents / 100.0', 'its SQL is neither a condition nor arithmetic'],
    ['count(*)', 'write its columns as table.column'],
    ['sum(orders.total_cents) OVER (ORDER BY orders.id)', 'its SQL is neither a condition'],
    ['sum(invoices.total)', 'the layer has no table invoices'],
    ['sum(orders.total)', 'the table orders has no column total'],
  ])('stays a term for models if it is %s, with a note', (sql, why) => {
    const { layer, notes, problems } = build(term('odd', sql))
    expect(problems).toEqual([])
    expect(notes.map(({ message }) => message).join()).toContain(why)
    expect(layer.metrics.every(({ status }) => status === 'proposed')).toBe(true)
  })

  it('gives way to what a file calls the same', () => {
    const file = layerFile(
      'semantic_models: [{ name: order, metrics: [{ name: turnover, label: Net revenue, agg: sum, expr: total_cents, synonyms: [net sales] }] }]',
    )
    const { layer, problems, notes } = buildLayer(
      { files: [file], terms: [term('net revenue', 'sum(orders.shipping_eur)')] },
      shop.database.catalog,
    )
    expect([problems, notes]).toEqual([[], []])
    expect(layer.metrics.filter(({ status }) => status === 'accepted').map(({ name }) => name)).toEqual([
      'turnover',
    ])
  })
})
