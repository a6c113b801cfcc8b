import { describe, expect, it } from 'vitest'
import { composeHeadline } from '../../../graphs/answer/headline/compose-headline.ts'
import { makeParseQuestion } from '../../../src/parser/interpret-question.ts'
import { trainedModel } from '../../../src/parser/rank/model.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { findMeantPhrases } from '../../../src/semantic-layer/ask/meant-phrases.ts'
import { describeAnswer } from '../../../src/semantic-layer/describe/describe-statement.ts'
import { isDoubtful } from '../../../src/semantic-layer/doubt-statement.ts'
import { prepareLayer } from '../../../src/semantic-layer/read-metric-question.ts'
import { makeReadQuestion } from '../../../src/semantic-layer/read-question.ts'
import { bakerySuite, clock } from './bakery.ts'

const { bakery, readFirst, readAll } = bakerySuite()

/** Today is Friday, November 20, 2026. */
describe('stretches of time that are ranked', () => {
  const grain = (of: string) => [{ kind: 'grain', grain: of }]

  it.each([
    ['what was our best month this year?', 'month', 'desc'],
    ['which was our worst quarter?', 'quarter', 'asc'],
    ['which month had the lowest revenue last year?', 'month', 'asc'],
    ['in which quarter did we sell the most?', 'quarter', 'desc'],
    ['highest sales day this year', 'day', 'desc'],
  ])('are groups: %s', (question, of, direction) => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query).toMatchObject({ groupBy: grain(of), order: [{ direction }], limit: 1 })
    expect(meaning.query.groupBy).toHaveLength(1)
    expect(unused).toEqual([])
  })

  it('are busy by their orders', () => {
    const { metrics, groupBy } = readFirst('what was our busiest day last month?').meaning.query
    expect(metrics).toMatchObject([{ kind: 'made', model: 'order', aggregation: 'count' }])
    expect(groupBy).toMatchObject(grain('day'))
  })

  it('may be days of the week', () => {
    expect(readFirst('which day of the week sells best?').meaning.query.groupBy).toMatchObject([
      { kind: 'part', part: 'weekday' },
    ])
  })
})

describe('business as a whole', () => {
  it.each(['how did we do last week?', 'did we grow last month?', 'is revenue up or down this month?'])(
    'is revenue, beside the period before: %s',
    question => {
      const { meaning, unused } = readFirst(question)
      expect(meaning.query.metrics).toMatchObject([{ kind: 'named', metric: 'revenue' }])
      expect(meaning.query.compare).toMatchObject({ kind: 'period' })
      expect(unused).toEqual([])
    },
  )

  it.each([
    'what changed last week?',
    'has morale improved this quarter?',
    'did traffic increase last month?',
  ])('is not meant by every change: %s', question => {
    const [first] = readAll(question)
    expect(first === undefined || first.unused.length > 0 || first.score < 0).toBe(true)
  })

  it('grows year over year, a row for each group', () => {
    const { groupBy, period, compare } = readFirst('revenue growth by channel year over year').meaning.query
    expect(groupBy).toMatchObject([{ at: { dimension: 'channel' } }])
    expect(period).toMatchObject({ from: '2026-01-01' })
    expect(compare).toMatchObject({ from: '2025-01-01', until: '2025-11-21', isSameStretch: true })
  })
})

describe('what people share', () => {
  it.each(['revenue per baker', 'orders per baker'])('is divided among them: %s', question => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query.metrics).toMatchObject([{ kind: 'ratio', denominator: { model: 'baker' } }])
    expect(meaning.query.groupBy).toEqual([])
    expect(unused).toEqual([])
  })

  it.each(['revenue by baker', 'revenue per baker last month'])(
    'is not given to each of them whole: %s',
    question => {
      const { meaning, unused } = readFirst(question)
      expect(meaning.query.groupBy).toEqual([])
      expect(unused).toContain('baker')
    },
  )

  it.each(['revenue per baker per month', 'revenue per baker by channel'])(
    'is divided among those of nothing else: %s',
    question => {
      const { meaning, unused } = readFirst(question)
      const isShared = meaning.query.metrics.some(({ kind }) => kind === 'ratio')
      expect(isShared ? unused.length : 1).toBeGreaterThan(0)
    },
  )

  it('is nothing that a client sells', () => {
    const { meaning, unused } = readFirst('who sells the most?')
    expect(JSON.stringify(meaning.query)).not.toContain('client')
    expect(unused).not.toEqual([])
  })
})

describe('words that rank', () => {
  it('rank several of what stands before a series', () => {
    expect(readFirst('top products by month').meaning.query.limit).toBe(10)
  })

  it.each([
    ['who are our newest clients?', 'created_at', 'desc', 10],
    ['longest-serving baker', 'hired_on', 'asc', 1],
  ])('go by when it began: %s', (question, dimension, direction, limit) => {
    const { order, limit: most } = readFirst(question).meaning.query
    expect(order).toMatchObject([{ kind: 'dimension', at: { dimension }, direction }])
    expect(most).toBe(limit)
  })

  it.each([
    ['most common order status', 'status', 1],
    ['what is the most used channel?', 'channel', 1],
    ['what are the main order channels?', 'channel', 10],
  ])('count what is common: %s', (question, dimension, limit) => {
    const { metrics, groupBy, limit: most } = readFirst(question).meaning.query
    expect(metrics).toMatchObject([{ kind: 'made', model: 'order', aggregation: 'count' }])
    expect(groupBy).toMatchObject([{ at: { dimension } }])
    expect(most).toBe(limit)
  })

  it('count what is common by the figure that was said', () => {
    expect(readFirst('most popular channel by revenue').meaning.query.metrics).toMatchObject([
      { metric: 'revenue' },
    ])
  })
})

describe('statements that the parser makes', () => {
  const rated = (question: string) =>
    makeReadQuestion(makeParseQuestion(trainedModel))({
      understanding: understandQuestion(question, clock),
      database: bakery(),
    })

  const sure = (question: string, pattern: RegExp): number | undefined =>
    rated(question).find(({ sql }) => pattern.test(sql))?.confidence

  const isDoubted = (text: string, sql: string): boolean =>
    isDoubtful(sql, {
      text,
      measured: readAll(text),
      phrases: findMeantPhrases(text, bakery()),
      dialect: 'sqlite',
      prepared: prepareLayer(bakery()),
    })

  it.each(['how old are our clients?', 'which shops are over budget?'])(
    'are not shown where none can be meant: %s',
    question => {
      expect(Math.max(...rated(question).map(({ confidence }) => confidence))).toBeLessThan(0.3)
    },
  )

  it.each([
    ['which products are pricey?', 'SELECT AVG(list_price_cents) FROM products', true],
    ['which date was our first order?', 'SELECT MIN(placed_at) FROM orders', false],
    ['how old are our clients?', 'SELECT created_at FROM clients', true],
    ['how many are the clients?', 'SELECT created_at FROM clients', false],
    [
      'which shops do we buy the most from?',
      'SELECT name FROM shops GROUP BY name ORDER BY COUNT(*) DESC LIMIT 1',
      true,
    ],
    [
      'which city has most shops?',
      'SELECT city FROM shops GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1',
      false,
    ],
    ['which rolls are used the most?', "SELECT id FROM products WHERE name = 'Cinnamon rolls'", true],
    ['what is the list price of Scone?', 'SELECT unit_price_cents FROM order_lines', true],
    ['which products are pricey?', 'SELECT category, COUNT(*) FROM products GROUP BY category', false],
    [
      'which products have the lowest price?',
      'SELECT p.name FROM products p JOIN order_lines l ON l.product_id = p.id ORDER BY l.unit_price_cents LIMIT 1',
      true,
    ],
    [
      'which product has the lowest price?',
      'SELECT name FROM products ORDER BY list_price_cents LIMIT 1',
      false,
    ],
    [
      'orders by shop',
      'SELECT shops.name, COUNT(*) FROM orders JOIN shops ON true GROUP BY shops.name',
      false,
    ],
    [
      'orders by baker',
      'SELECT bakers.id, COUNT(*) FROM orders JOIN bakers ON true GROUP BY bakers.id',
      true,
    ],
    ['which bakers earn the most?', 'SELECT first_name FROM bakers', true],
    ['which bakers are there?', 'SELECT first_name FROM bakers', false],
    [
      'average salary of bakers by shop',
      'SELECT shop_id, AVG(manager_id) FROM bakers GROUP BY shop_id',
      true,
    ],
    ['average salary of bakers by shop', 'SELECT shop_id, AVG(salary) FROM bakers GROUP BY shop_id', false],
  ])('are doubted by their shape: %s %s', (text, sql, expected) => {
    expect(isDoubted(text, sql)).toBe(expected)
  })

  it('give nobody what all of a shop share', () => {
    expect(sure('orders by shop', /GROUP BY\s+shops\./)).toBeGreaterThan(0.5)
    expect(sure('orders by baker', /GROUP BY\s+bakers\./)).toBeLessThan(0.5)
  })
})

describe('the headline of rows that were ranked', () => {
  const headlineOf = async (question: string): Promise<string | null> => {
    const { sql, meaning } = readFirst(question)
    const understanding = understandQuestion(question, clock)
    const subject = describeAnswer({ sql, meaning, understanding, database: bakery() })
    const verdict = bakery().guard(sql)
    if (verdict.verdict !== 'allow') throw new Error(`not allowed: ${sql}`)
    const table = await bakery().run(verdict.guarded)
    return subject && composeHeadline(subject, table, '2026-11-20')
  }

  it.each([
    ['bakers with the highest salary', 'Top 9 bakers by salary: Fay Falk leads with 61,000'],
    [
      'who are our newest clients?',
      'The 10 latest clients: created Jun 10, 2026, 08:00 to Nov 10, 2026, 08:00',
    ],
    ['longest-serving baker', 'Ada Alm: hired Jan 1, 2024'],
  ])('%s', async (question, headline) => {
    expect(await headlineOf(question)).toBe(headline)
  })
})

describe('the mean of stretches of time', () => {
  it.each([
    ['how many orders per day on average this month?', 'Average orders per day'],
    ['average number of orders per week', 'Average orders per week'],
    ['average daily revenue in October', 'Average revenue per day'],
    ['average monthly revenue', 'Average revenue per month'],
  ])('is one figure: %s', (question, label) => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query.running).toEqual({ kind: 'mean' })
    expect(meaning.columns.map(column => column.label)).toEqual([label])
    expect(unused).toEqual([])
  })

  it('may be one for each of something else', () => {
    const { meaning } = readFirst('average orders per month by channel')
    expect(meaning.columns.map(({ label }) => label)).toEqual(['Channel', 'Average orders per month'])
  })

  it.each(['average revenue by month', 'average order value per month'])('is no series: %s', question => {
    expect(readFirst(question).meaning.query).toMatchObject({
      running: null,
      groupBy: [{ kind: 'grain', grain: 'month' }],
    })
  })
})

describe('those who were active', () => {
  it.each([
    ['monthly active clients', 'month'],
    ['how many daily active clients did we have last month?', 'day'],
    ['MAU', 'month'],
    ['how many weekly active clients', 'week'],
  ])('did something in each of them: %s', (question, grain) => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query).toMatchObject({
      metrics: [{ model: 'order', aggregation: 'count_distinct', of: { model: 'client' } }],
      groupBy: [{ kind: 'grain', grain }],
      filters: [],
    })
    expect(unused).toEqual([])
  })
})

describe('the others', () => {
  it.each(['revenue from Germany and the rest', 'top 5 clients and everyone else'])(
    'are missed where nothing tells them apart: %s',
    question => {
      expect(readFirst(question).unused.length).toBeGreaterThan(0)
    },
  )

  it.each(['revenue from newsletter clients vs others', 'newsletter clients vs everyone else'])(
    'are a row of their own: %s',
    question => {
      const { meaning, unused } = readFirst(question)
      expect(meaning.query.groupBy).toMatchObject([{ at: { dimension: 'newsletter' } }])
      expect(meaning.query.filters).toEqual([])
      expect(unused).toEqual([])
    },
  )
})

describe('the first and the last', () => {
  it.each([
    ['latest 5 orders', 'desc', 5],
    ['what was the last order?', 'desc', 1],
    ['first order ever', 'asc', 1],
  ])('go by when they happened, and not by how long they took: %s', (question, direction, limit) => {
    const { meaning, unused } = readFirst(question)
    expect(meaning.query).toMatchObject({
      rowsOf: 'order',
      order: [{ kind: 'dimension', at: { dimension: 'placed_at' }, direction }],
      limit,
    })
    expect(unused).toEqual([])
  })
})

describe('words that mean one thing beside others', () => {
  it('has what is open ranked by how many there are', () => {
    expect(readFirst('which channel has the most open orders?').meaning.query).toMatchObject({
      metrics: [{ model: 'order', aggregation: 'count' }],
      groupBy: [{ at: { dimension: 'channel' } }],
      filters: [{ values: ['open'] }],
    })
  })

  it('has how orders are, and not when they became so', () => {
    expect(readFirst('how many orders are delivered?').meaning.query.filters).toMatchObject([
      { kind: 'values', values: ['delivered'] },
    ])
    expect(readFirst('how many orders were delivered last month?').sql).toContain(
      "delivered_on >= '2026-10-01'",
    )
  })

  it('has a mean of what each of them has as one figure', () => {
    const { groupBy, metrics } = readFirst('average salary per baker').meaning.query
    expect(groupBy).toEqual([])
    expect(metrics).toMatchObject([{ kind: 'named', metric: 'baker_salary' }])
    expect(readFirst('average salary by manager').meaning.query.groupBy).toMatchObject([
      { kind: 'model', model: 'baker', via: ['manager'] },
    ])
  })

  it('has nothing sold where there are no sales', () => {
    const { sql, unused } = readFirst('shops without sales in October')
    expect(sql).toMatch(/NOT EXISTS.*orders.*2026-10-01/s)
    expect(unused).toEqual([])
  })

  it('has things ranked by the revenue of their own lines', () => {
    const { metrics, groupBy, limit } = readFirst('top 3 products this month').meaning.query
    expect(metrics).toMatchObject([{ metric: 'revenue' }])
    expect(groupBy).toMatchObject([{ model: 'product' }])
    expect(limit).toBe(3)
  })
})
