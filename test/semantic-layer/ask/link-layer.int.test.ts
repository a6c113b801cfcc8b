import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import type { LinkedLayer } from '../../../src/domain/metrics/metric-reading.ts'
import type { ValueMatch } from '../../../src/domain/question-context.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { coversRows } from '../../../src/evaluation/score-question.ts'
import { outputs } from '../../../src/llm/outputs.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { linkLayer } from '../../../src/semantic-layer/ask/link-layer.ts'
import { clock, openBakery } from '../interpret/bakery.ts'

let open: OpenDatabase

beforeAll(async () => {
  open = await openBakery()
})

afterAll(async () => {
  await open.close()
})

/** The bakeries without a layer of their own, as a question sees them. */
const linked = (question: string, matches: readonly ValueMatch[] = []): LinkedLayer => {
  const layer = linkLayer({
    understanding: understandQuestion(question, clock),
    database: open.database,
    matches,
  })
  if (layer === null) throw new Error(`the layer has nothing to say about ${question}`)
  return layer
}

type Reply = Parameters<(typeof outputs)['metric-query']['parse']>[0]

const compiled = (question: string, reply: Reply, matches?: readonly ValueMatch[]) =>
  linked(question, matches).compile(outputs['metric-query'].parse(reply))

const readingOf = (question: string, reply: Reply) => {
  const made = compiled(question, reply)
  if (!made.ok) throw new Error(made.problems.join('\n'))
  return made.reading
}

const problemsOf = (question: string, reply: Reply): readonly string[] => {
  const made = compiled(question, reply)
  return made.ok ? [] : made.problems
}

const run = async (sql: string): Promise<ResultTable> => {
  const verdict = open.database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return open.database.run(verdict.guarded)
}

const october = { from: '2026-10-01', until: '2026-11-01', date: null }

const inOctober = "o.placed_at >= '2026-10-01' and o.placed_at < '2026-11-01'"

const lines = 'order_lines l join orders o on o.id = l.order_id'

const revenue = 'sum(l.quantity * l.unit_price_cents)'

/** Questions with what a model could reply, and statements with the right rows. */
const replies: readonly (readonly [question: string, reply: Reply, gold: string])[] = [
  [
    'revenue by channel last month',
    { metrics: [{ figure: 'revenue' }], by: ['order.channel'], period: october },
    `select o.channel, ${revenue} from ${lines} where ${inOctober} group by 1`,
  ],
  [
    'how many orders per month in 2026',
    {
      metrics: [{ figure: 'count(order)' }],
      by: ['month'],
      period: { from: '2026-01-01', until: '2027-01-01' },
    },
    "select strftime('%Y-%m-01', placed_at), count(*) from orders where placed_at >= '2026-01-01' and placed_at < '2027-01-01' group by 1",
  ],
  [
    'how many different clients ordered last month',
    { metrics: [{ figure: 'count_distinct(order.client)' }], period: october },
    `select count(distinct client_id) from orders o where ${inOctober}`,
  ],
  [
    'average list price of vegan products',
    {
      metrics: [{ figure: 'avg(product.list_price_cents)' }],
      where: [{ at: 'product.is_vegan', is: '=', values: [true] }],
    },
    'select avg(list_price_cents) from products where is_vegan = 1',
  ],
  [
    'products that cost more than 8 euros',
    { rows: 'product', where: [{ at: 'product.list_price_cents', is: '>', values: [8] }] },
    'select name from products where list_price_cents > 800',
  ],
  [
    'orders that were delivered after the promised date',
    {
      metrics: [{ figure: 'count(order)' }],
      where: [{ at: 'order.delivered_on', is: '>', values: ['order.promised_on'] }],
    },
    'select count(*) from orders where delivered_on > promised_on',
  ],
  [
    'clients from Sweden without orders in the shop in Oslo',
    {
      rows: 'client',
      where: [
        { at: 'client.country', is: '=', values: ['sweden'] },
        {
          related: 'order',
          are: 'none',
          where: [{ at: 'order.shop.city', is: '=', values: ['Oslo'] }],
        },
      ],
    },
    "select name from clients c where country = 'Sweden' and not exists (select 1 from orders o join shops s on s.id = o.shop_id where o.client_id = c.id and s.city = 'Oslo')",
  ],
  [
    'clients with more than 17 orders',
    { rows: 'client', where: [{ each: 'client', figure: 'count(order)', is: '>', value: 17 }] },
    'select name from clients c where (select count(*) from orders o where o.client_id = c.id) > 17',
  ],
  [
    'shops with revenue over 2000 euros last year',
    {
      metrics: [{ figure: 'revenue' }],
      by: ['shop'],
      period: { from: '2025-01-01', until: '2026-01-01' },
      having: [{ figure: 'revenue', is: '>', value: 2000 }],
    },
    `select s.name, ${revenue} from ${lines} join shops s on s.id = o.shop_id where o.placed_at >= '2025-01-01' and o.placed_at < '2026-01-01' group by 1 having ${revenue} > 200000`,
  ],
  [
    'share of canceled orders by channel',
    {
      metrics: [
        {
          figure: 'count(order)',
          where: [{ at: 'order.status', is: '=', values: ['canceled'] }],
          per: { figure: 'count(order)' },
        },
      ],
      by: ['order.channel'],
    },
    "select channel, 1.0 * sum(status = 'canceled') / count(*) from orders group by 1",
  ],
  [
    'orders last month compared with the month before',
    { metrics: [{ figure: 'count(order)' }], period: october, compare: 'previous' },
    `select sum(${inOctober}), sum(o.placed_at >= '2026-09-01' and o.placed_at < '2026-10-01') from orders o`,
  ],
  [
    'web or phone orders of households',
    {
      metrics: [{ figure: 'count(order)' }],
      where: [
        {
          any: [
            { at: 'order.channel', is: '=', values: ['web'] },
            { at: 'order.channel', is: '=', values: ['phone'] },
          ],
        },
        { at: 'order.client.segment', is: '<>', values: ['cafe'] },
      ],
    },
    "select count(*) from orders o join clients c on c.id = o.client_id where channel in ('web', 'phone') and segment <> 'cafe'",
  ],
]

describe('a metric query that a model replied', () => {
  it.each(replies)('has the right rows for “%s”', async (question, reply, gold) => {
    const { sql, meaning } = readingOf(question, reply)
    const [shown, right] = [await run(sql), await run(gold)]
    expect(right.rows.length).toBeGreaterThan(0)
    expect(coversRows(shown, right), sql).toBe(true)
    expect(meaning.sql).toBe(sql)
    expect(meaning.columns).toHaveLength(shown.columns.length)
  })

  it('shows the figure that ranks beside what was asked for', async () => {
    const { sql, meaning } = readingOf('which product sold best last month', {
      by: ['product'],
      period: october,
      sort: [{ by: 'revenue', direction: 'desc' }],
      limit: 1,
    })
    expect((await run(sql)).columns).toHaveLength(1)
    expect(meaning.columns.map(({ label }) => label)).toEqual(['Product', 'Revenue'])
    const first = (await run(meaning.sql)).rows[0]
    expect((await run(sql)).rows).toEqual([[first?.[0]]])
  })

  it('has labels of the layer, whatever the model called things', () => {
    const { meaning } = readingOf('median list price by category', {
      metrics: [{ figure: 'median(product.list_price_cents)' }],
      by: ['product.category'],
    })
    expect(meaning.columns.map(({ label }) => label)).toEqual(['Category', 'Median list price'])
  })
})

describe('what a model is shown', () => {
  it('names models, metrics and segments, the same for every question about a small layer', () => {
    const { text } = linked('revenue by channel last month')
    expect(text).toContain(
      '- order; dated by placed_at; joins client, shop\n  channel: web, counter, phone; status:',
    )
    expect(text).toContain('list_price_cents "List price" number in money')
    expect(text).toMatch(/^Metrics:\n- revenue: .*\(.*revenue\)/m)
    expect(text).toMatch(/^Segments:\n(?:- .*\n)*- late_order: .*\(late, delayed, too late\)/m)
    // Ten of twelve names would look like all there are; a count or an average is made in the reply.
    expect(text).not.toMatch(/Rye loaf|average list price|- order_count/)
    expect(linked('how many bakers work in Oslo?').text).toBe(text)
  })

  it('lists no values of personal dimensions, however few they are', () => {
    const { text } = linked('how many bakers work in Oslo?')
    expect(text).toMatch(/first_name(?: "First name")?; last_name/)
    expect(text).not.toMatch(/\b(?:Ada|Cleo|Alm|Iversen)\b/)
  })

  it('has the values of the question in the names of the layer', () => {
    const match = { keyword: 'web', table: 'orders', column: 'channel', value: 'web', score: 1 }
    const other = { ...match, table: 'nowhere' }
    expect(linked('orders on the web', [match]).inDimensions([match, other])).toEqual([
      { ...match, table: 'order', column: 'channel' },
    ])
  })

  it('is nothing if no word of the question means anything', () => {
    const understanding = understandQuestion('why is the sky blue?', clock)
    expect(linkLayer({ understanding, database: open.database, matches: [] })).toBeNull()
  })
})

describe('a reply that cannot be used says what is wrong', () => {
  const ask = 'revenue by channel for Sweden last month'
  const metrics = [{ figure: 'revenue' }]
  it.each<readonly [string, Reply, string]>([
    ['a metric', { metrics: [{ figure: 'revenues' }] }, 'There is no metric revenues; did you mean revenue?'],
    ['a model', { metrics: [{ figure: 'count(orders)' }] }, 'There is no model orders; did you mean order?'],
    [
      'a dimension',
      { metrics, by: ['order.chanel'] },
      'There is no dimension of order chanel; did you mean channel?',
    ],
    [
      'a join',
      { metrics, by: ['order.customer.name'] },
      'There is no join of order customer; there is client, shop',
    ],
    [
      'a value',
      { metrics, where: [{ at: 'client.country', is: '=', values: ['Swedn'] }] },
      'client.country has no value Swedn; did you mean Sweden?',
    ],
    ['an aggregation', { metrics: [{ figure: 'drop(order)' }] }, 'There is no aggregation drop; there is'],
    [
      'a figure of words',
      { metrics: [{ figure: 'sum(order.channel)' }] },
      'order.channel is no number, so it has no sum',
    ],
    ['no figure', {}, 'There is neither a metric nor a model whose rows are listed'],
    [
      'a day',
      { metrics, period: { from: '2026-02-30x', until: null } },
      '2026-02-30x is no day such as 2026-11-20',
    ],
    [
      'a period backwards',
      { metrics, period: { from: '2026-11-01', until: '2026-10-01' } },
      'The period from 2026-11-01 until 2026-10-01 has no days',
    ],
    [
      'a comparison',
      { metrics, compare: 'previous' },
      'A comparison needs a period with a beginning and an end, or a series',
    ],
    ['a limit', { metrics, limit: 2.5 }, 'limit is a whole number from 1 to 10000'],
    ['running', { metrics, running: 'wild' }, 'running is total, to_date(year) or the like'],
  ])('%s', (_, reply, problem) => {
    expect(problemsOf(ask, reply)).toEqual([expect.stringContaining(problem)])
  })

  it('a value of a personal dimension, without what is near it', () => {
    const reply = {
      metrics: [{ figure: 'count(baker)' }],
      where: [{ at: 'baker.last_name', is: '=', values: ['Krona'] }],
    }
    expect(problemsOf('how many bakers are there?', reply)).toEqual(['baker.last_name has no value Krona'])
  })

  it('all at once', () => {
    expect(problemsOf(ask, { metrics: [{ figure: 'x' }], by: ['y.z'], limit: 0 })).toHaveLength(1)
    expect(problemsOf(ask, { metrics, by: ['y.z'], show: ['a.b'], limit: 0 })).toHaveLength(3)
  })
})

describe('a hostile reply', () => {
  const ask = "revenue of the shop 'x' OR 1=1 -- last month"
  const metrics = [{ figure: 'revenue' }]
  it.each<readonly [string, Reply]>([
    ['SQL in place of a metric', { metrics: [{ figure: 'sum(1) FROM orders; DROP TABLE orders' }] }],
    ['SQL in place of a dimension', { metrics, by: ['order.channel, (SELECT salary FROM bakers)'] }],
    [
      'SQL in place of a number',
      { metrics, where: [{ at: 'product.list_price_cents', is: '>', values: ['1 OR 1=1'] }] },
    ],
    [
      'SQL in place of a day',
      { metrics, where: [{ at: 'order.placed_at', is: '>=', values: ["2026-01-01' OR '1'='1"] }] },
    ],
    [
      'a text that nobody wrote',
      {
        metrics,
        where: [{ at: 'client.country', is: '=', values: ["Sweden' UNION SELECT salary FROM bakers --"] }],
      },
    ],
    [
      'a search that nobody asked for',
      { metrics, where: [{ at: 'client.name', is: 'contains', values: ['<https://evil.example|click>'] }] },
    ],
    ['a system table', { rows: 'sqlite_master' }],
    ['a column that is not in the layer', { metrics, by: ['order.rowid'] }],
    [
      'thousands of conditions',
      {
        metrics,
        where: Array.from(
          { length: 2_000 },
          () => ({ at: 'order.channel', is: '=', values: ['web'] }) as const,
        ),
      },
    ],
  ])('has no statement: %s', (_, reply) => {
    expect(problemsOf(ask, reply)).toHaveLength(1)
  })

  it('can compare with a text of the question, as a text', async () => {
    const text = "'x' OR 1=1 --"
    const { sql } = readingOf(ask, { metrics, where: [{ at: 'shop.name', is: '=', values: [text] }] })
    expect(sql).toContain("'''x'' OR 1=1 --'")
    expect((await run(sql)).rows).toEqual([[null]])
  })
})
