import { describe, expect, it } from 'vitest'
import type { MetricDefinition, SemanticLayer } from '../../../src/domain/metrics/semantic-layer.ts'
import { formulaNames } from '../../../src/semantic-layer/compile/formula.ts'
import { findPath, indexLayer } from '../../../src/semantic-layer/compile/layer-index.ts'
import { shopCatalog } from './proof/shop-catalog.ts'
import { shopLayer } from './proof/shop-layer.ts'
import { by, days, each, every, metric, ref, shopSql } from './proof/shop-query.ts'

describe('what cannot be compiled says why', () => {
  it.each<[problem: string, query: Parameters<typeof shopSql>[0]]>([
    ['a query without metrics', {}],
    ['there is no metric profit', { metrics: [metric('profit')] }],
    ['order has no dimension color', { metrics: [metric('order_count')], groupBy: [by('order.color')] }],
    ['product has no date', { metrics: [metric('product_count')], groupBy: [every('month')] }],
    ['product has no date', { metrics: [metric('product_count')], period: days('2024-01-01', null) }],
    [
      'nothing leads from order to employee',
      { metrics: [metric('order_count')], groupBy: [each('employee', 'customer')] },
    ],
    [
      'hours of Due on, which has days only',
      {
        metrics: [metric('order_count')],
        groupBy: [{ kind: 'part', at: ref('order.due_on'), part: 'hour' }],
      },
    ],
    [
      'shares of Average freight, which does not add up',
      { metrics: [metric('average_freight')], groupBy: [by('order.status')], share: { kind: 'total' } },
    ],
    [
      'a running total of buyers, which does not add up',
      { metrics: [metric('buyers')], groupBy: [every('month')], running: { kind: 'total' } },
    ],
    [
      'a running total without periods',
      { metrics: [metric('order_count')], groupBy: [by('order.status')], running: { kind: 'total' } },
    ],
    [
      'a total over 3 months in periods of a week',
      { metrics: [metric('orders_of_3_months')], groupBy: [every('week')] },
    ],
    [
      'two periods beside each other have no periods in common',
      {
        metrics: [metric('order_count')],
        groupBy: [every('month')],
        period: days('2024-04-01', '2024-07-01'),
        compare: { kind: 'period', from: '2024-01-01', until: '2024-04-01', label: '', isSameStretch: false },
      },
    ],
    [
      'a series without periods',
      { metrics: [metric('order_count')], compare: { kind: 'series', lag: 'previous' } },
    ],
    [
      'the first of groups that are not shown',
      { metrics: [metric('order_count')], limit: 3, limitPer: [by('order.status')] },
    ],
    [
      'there is no segment loyal',
      {
        metrics: [metric('order_count')],
        filters: [{ kind: 'segment', segment: 'loyal', via: null, negated: false }],
      },
    ],
    [
      'customer has no first ticket',
      {
        metrics: [metric('product_count')],
        groupBy: [{ kind: 'cohort', of: 'customer', events: 'ticket', grain: 'month' }],
      },
    ],
  ])('%s', (problem, query) => {
    expect(shopSql(query)).toBe(problem)
  })
})

const withMetric = (definition: MetricDefinition): SemanticLayer => ({
  ...shopLayer,
  metrics: [
    ...shopLayer.metrics,
    {
      name: 'special',
      label: 'Special',
      synonyms: [],
      description: null,
      unit: null,
      goodDirection: null,
      status: 'accepted',
      ...definition,
    },
  ],
})

const formula = (text: string): string =>
  shopSql({ metrics: [metric('special')] }, { layer: withMetric({ kind: 'derived', formula: text }) })

describe('formulas', () => {
  it.each([
    ['order_count - canceled_orders', "COUNT(*) - COUNT(CASE WHEN status = 'canceled' THEN 1 END)"],
    ['freight / order_count / 2', '1.0 * (1.0 * SUM(freight) / NULLIF(COUNT(*), 0)) / NULLIF(2, 0)'],
    ['2 * (freight - order_count)', '2 * (SUM(freight) - COUNT(*))'],
    ['-freight + 1.5', '0 - SUM(freight) + 1.5'],
  ])('%s', (text, sql) => {
    expect(formula(text)).toContain(`SELECT ${sql} AS special`)
  })

  it.each(['freight +', '(freight', 'freight freight', 'freight; drop', ''])('%s cannot be read', text => {
    expect(formula(text)).toBe(`cannot read the formula ${text}`)
  })

  it('do not name themselves', () => {
    expect(formula('special + 1')).toBe('special is defined by itself')
  })

  it('are read for the names in them', () => {
    expect(formulaNames('100 * ticket_count / (order_count - ticket_count)')).toEqual([
      'ticket_count',
      'order_count',
    ])
  })
})

describe('the way from a model to another', () => {
  const index = indexLayer(shopLayer, shopCatalog('postgres'))
  const way = (from: string, to: string, via: string | null = null) =>
    findPath(index, from, to, via === null ? null : via.split(' '))?.map(({ name }) => name) ?? null

  it('is the shortest, and rather through one partner than through many', () => {
    expect(way('order_line', 'customer')).toEqual(['order', 'customer'])
    expect(way('order_line', 'tag')).toEqual(['product', 'product_tag', 'tag'])
    expect(way('customer', 'category')).toEqual(['order', 'order_line', 'product', 'category'])
    expect(way('order', 'order')).toEqual([])
  })

  it('goes by the first role unless another is named', () => {
    expect(way('order', 'employee')).toEqual(['seller'])
    expect(way('order', 'employee', 'approver manager')).toEqual(['approver', 'manager'])
    expect(way('employee', 'employee', 'manager')).toEqual(['manager'])
  })

  it('is none if the names do not lead there', () => {
    expect(way('order', 'employee', 'customer')).toBeNull()
    expect(way('order', 'warehouse')).toBeNull()
  })
})

describe('a layer with a table that is not there', () => {
  it('lacks that model and nothing else', () => {
    const catalog = shopCatalog('postgres')
    const index = indexLayer(shopLayer, {
      ...catalog,
      tables: catalog.tables.filter(({ name }) => name !== 'tickets'),
    })
    expect([...index.models.keys()]).not.toContain('ticket')
    expect(index.models.size).toBe(shopLayer.models.length - 1)
  })
})
