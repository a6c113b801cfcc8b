import { describe, expect, it } from 'vitest'
import type { MetricReading } from '../../../src/domain/metrics/metric-reading.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { describeAnswer } from '../../../src/semantic-layer/describe/describe-statement.ts'
import { bakerySuite, clock } from './bakery.ts'

const { bakery, readFirst } = bakerySuite()

/** Today is Friday, November 20, 2026. */
describe('the last so many periods', () => {
  it('begin with a whole one in a series', () => {
    const { period } = readFirst('revenue by month for the last 12 months').meaning.query
    expect(period).toMatchObject({ from: '2025-12-01', until: '2026-11-21' })
  })

  it('are so many days up to today without a series', () => {
    const { period } = readFirst('revenue in the last 12 months').meaning.query
    expect(period).toMatchObject({ from: '2025-11-21', until: '2026-11-21' })
  })
})

describe('two nouns in a row', () => {
  const dimension = (model: string, name: string) => ({
    kind: 'dimension',
    at: { model, dimension: name, via: null },
  })

  it.each([
    ['share of orders by product category', dimension('product', 'category')],
    ['orders by product category', dimension('product', 'category')],
    ['revenue per client segment', dimension('client', 'segment')],
    ['orders by order channel', dimension('order', 'channel')],
    ['revenue by order shop', { kind: 'model', model: 'shop', via: null }],
  ])('%s', (question, key) => {
    expect(readFirst(question).meaning.query.groupBy).toEqual([key])
  })

  it('count what has many of the groups where both meet', () => {
    const { metrics } = readFirst('orders by product category').meaning.query
    expect(metrics).toMatchObject([{ kind: 'made', model: 'order_line', aggregation: 'count_distinct' }])
  })
})

describe('a period that something is compared with', () => {
  const lastYear = { kind: 'period', from: '2025-01-01', until: '2025-11-21', isSameStretch: true }
  const thisYear = { from: '2026-01-01', until: '2027-01-01' }
  const lastMonth = { kind: 'period', from: '2026-10-01', until: '2026-10-21', isSameStretch: true }
  const thisMonth = { from: '2026-11-01', until: '2026-12-01' }

  it.each([
    ['did revenue grow compared to last year?', thisYear, lastYear],
    ['revenue versus the previous year', thisYear, lastYear],
    ['revenue compared to the previous year', thisYear, lastYear],
    ['compare revenue with last year', thisYear, lastYear],
    ['did revenue grow compared to last month?', thisMonth, lastMonth],
    ['did we have more orders than last month?', thisMonth, lastMonth],
    ['is revenue higher than last month?', thisMonth, lastMonth],
    ['how does this month compare to last month?', thisMonth, lastMonth],
    [
      'revenue so far this year vs last year',
      { from: '2026-01-01', until: '2026-11-21' },
      { ...lastYear, isSameStretch: false },
    ],
    [
      'revenue in October compared to last year',
      { from: '2026-10-01', until: '2026-11-01' },
      { kind: 'period', from: '2025-10-01', until: '2025-11-01' },
    ],
    [
      'revenue this month compared to the same month last year',
      thisMonth,
      { kind: 'period', from: '2025-11-01', until: '2025-11-21' },
    ],
    [
      'revenue vs last quarter',
      { from: '2026-10-01' },
      { kind: 'period', from: '2026-07-01', until: '2026-08-21' },
    ],
  ])('%s', (question, period, compare) => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query).toMatchObject({ period, compare })
    expect(unused).toEqual([])
  })

  it.each(['orders by month compared to last year', 'orders by month this year vs last year'])(
    'stands beside each value of a series: %s',
    question => {
      const { meaning, unused } = readFirst(question)
      expect(meaning.query).toMatchObject({ period: thisYear, compare: { kind: 'series', lag: 'year' } })
      expect(unused).toEqual([])
    },
  )
})

describe('words that a reading has no use for', () => {
  it.each([
    ['orders by channel vs', 'vs'],
    ['median orders', 'median'],
    ['orders compared to', 'compared to'],
  ])('are those of the question: %s', (question, word) => {
    expect(readFirst(question).unused).toContain(word)
  })
})

describe('what is said of somebody else', () => {
  // Orders tie clients to shops, and shops to bakers, of whom one has left.
  it.each(['clients who left', 'how many clients left last month?', 'clients who churned last month'])(
    'is left out, with a note: %s',
    question => {
      const { unused, meaning, sql } = readFirst(question)
      expect(unused.length).toBeGreaterThan(0)
      expect(meaning.query.filters).toEqual([])
      expect(sql).not.toContain('bakers.left_on')
    },
  )

  it('holds for those whose rows say it, and for those they belong to', () => {
    expect(readFirst('bakers who left last month').unused).toEqual([])
    expect(readFirst('clients with delivered orders').unused).toEqual([])
  })
})

describe('two figures side by side', () => {
  it.each([
    'revenue vs new customers per month this year',
    'new customers versus revenue by month this year',
  ])('%s', question => {
    const { meaning, unused, assumptions } = readFirst(question)
    expect(meaning.query.metrics).toHaveLength(2)
    expect(meaning.query.groupBy).toMatchObject([{ kind: 'grain', grain: 'month' }])
    expect(unused).toEqual([])
    expect(assumptions.filter(({ kind }) => kind === 'counted-by')).toHaveLength(2)
  })

  it('are doubted where "versus" stands between values', () => {
    const listed = readFirst('unit price and revenue for bread vs cake')
    const opposed = readFirst('unit price revenue for bread vs cake')
    expect(opposed.meaning.query.metrics).toHaveLength(2)
    expect(listed.score - opposed.score).toBeGreaterThan(1)
  })
})

describe('a yes and a no', () => {
  const flag = (model: string, name: string) => [
    { kind: 'dimension', at: { model, dimension: name, via: null } },
  ]

  it.each([
    ['vegan vs non-vegan products', flag('product', 'is_vegan')],
    ['revenue of vegan and non-vegan products', flag('product', 'is_vegan')],
    ['newsletter vs no newsletter clients', flag('client', 'newsletter')],
    ['revenue from newsletter clients compared to clients without newsletter', flag('client', 'newsletter')],
  ])('are a row each, since nothing is both: %s', (question, groupBy) => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query).toMatchObject({ groupBy, filters: [] })
    expect(meaning.query.metrics).toHaveLength(1)
    expect(unused).toEqual([])
  })
})

describe('what some do more than others', () => {
  it.each([
    'do cafe clients order more than household clients?',
    'did cafe clients order more than household clients',
    'do cafe clients order less than household clients?',
  ])('is counted: %s', question => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query.metrics).toMatchObject([{ kind: 'made', model: 'order', aggregation: 'count' }])
    expect(meaning.query.groupBy).toMatchObject([{ at: { model: 'client', dimension: 'segment' } }])
    expect(unused).toEqual([])
  })
})

describe('what changed the most', () => {
  it.each([
    ['which category grew the most this year?', 'desc'],
    ['which category shrank the most this year?', 'asc'],
    ['which category fell the most this year?', 'asc'],
    ['which category fell the least this year?', 'desc'],
    ['which category grew the least this year?', 'asc'],
  ])('%s', (question, direction) => {
    const { meaning } = readFirst(question)
    expect(meaning.query.groupBy).toMatchObject([{ at: { model: 'product', dimension: 'category' } }])
    expect(meaning.query.order).toMatchObject([{ kind: 'change', direction }])
    expect(meaning.query.limit).toBe(1)
  })
})

describe('the period before', () => {
  it.each([
    'revenue last month vs the month before',
    'revenue last month compared to the month before',
    'revenue last month versus the previous month',
  ])('is compared with: %s', question => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query.compare).toMatchObject({ kind: 'period', from: '2026-09-01', until: '2026-10-01' })
    expect(unused).toEqual([])
  })

  it('makes a series of a longer time', () => {
    const { meaning } = readFirst('revenue this year vs the month before')
    expect(meaning.query.compare).toMatchObject({ kind: 'series', lag: 'previous' })
  })
})

describe('values that are compared without a number', () => {
  it.each([
    'do cafe clients spend more than household clients?',
    'did web orders bring in more than phone orders?',
  ])('are a row each: %s', question => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query.metrics).toMatchObject([{ kind: 'named', metric: 'revenue' }])
    expect(meaning.query.groupBy).toHaveLength(1)
    expect(meaning.query.filters).toMatchObject([{ values: [expect.any(String), expect.any(String)] }])
    expect(unused).toEqual([])
  })
})

describe('sets that no value tells apart', () => {
  it('are a figure each', () => {
    const { meaning, unused } = readFirst('active vs ended bakers')
    expect(meaning.query.metrics).toMatchObject([{ label: 'Active bakers' }, { label: 'Ended bakers' }])
    expect(meaning.query.filters).toEqual([])
    expect(unused).toEqual([])
  })

  it('leave other conditions to both', () => {
    const { meaning } = readFirst('active vs ended bakers in Oslo')
    expect(meaning.query.metrics).toHaveLength(2)
    expect(meaning.query.filters).toHaveLength(1)
  })
})

describe('"vs."', () => {
  it('ends no sentence', () => {
    expect(readFirst('household vs. cafe revenue').meaning.query).toEqual(
      readFirst('household vs cafe revenue').meaning.query,
    )
  })
})

describe('first and last name', () => {
  const conditionsOf = (question: string, changed: Partial<MetricReading['meaning']['query']> = {}) => {
    const understanding = understandQuestion(question, clock)
    const { sql, meaning } = readFirst(question)
    const query = { ...meaning.query, ...changed }
    return describeAnswer({ sql, meaning: { ...meaning, query }, understanding, database: bakery() })
      ?.conditions
  }
  const named = (name: string, value: string) => ({
    kind: 'values' as const,
    at: { model: 'baker', dimension: name, via: null },
    values: [value],
    negated: false,
  })

  it('are one name in words', () => {
    expect(conditionsOf('bakers called Ada Alm')).toEqual([{ words: 'called Ada Alm', kind: 'clause' }])
    expect(
      conditionsOf('orders in October', { filters: [named('first_name', 'Ada'), named('last_name', 'Alm')] }),
    ).toEqual([{ words: 'Ada Alm', kind: 'person' }])
  })
})

describe('the top of what is sold', () => {
  it.each(['top 5 products', 'top 5 products last month', 'best products this year'])('%s', question => {
    const { sql, unused } = readFirst(question)
    expect(unused).toEqual([])
    expect(sql).toMatch(/ORDER BY SUM\(order_lines\./)
  })

  it('is of people by what they have themselves', () => {
    expect(readFirst('top bakers').sql).toMatch(/ORDER BY salary DESC/)
  })
})
