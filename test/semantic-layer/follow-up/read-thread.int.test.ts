import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { ChainLink, FollowUpInterpretation } from '../../../src/domain/conversation.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { coversRows } from '../../../src/evaluation/score-question.ts'
import { makeReadFollowUp } from '../../../src/parser/follow-up/read-follow-up.ts'
import { trainedModel } from '../../../src/parser/rank/model.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { makeReadThread } from '../../../src/semantic-layer/follow-up/read-thread.ts'
import { readMetricQuestion } from '../../../src/semantic-layer/read-metric-question.ts'
import { clock, openBakery } from '../interpret/bakery.ts'

let open: OpenDatabase

beforeAll(async () => {
  open = await openBakery()
})

afterAll(async () => {
  await open.close()
})

const readThread = makeReadThread(makeReadFollowUp(trainedModel, understandQuestion), understandQuestion)

const askedAt = clock.now().toISOString()

/** Reads the last message of a thread; each message before it is answered by its first reading, as it is shown. */
const follow = (first: string, ...said: readonly string[]): FollowUpInterpretation => {
  const [root] = readMetricQuestion({
    understanding: understandQuestion(first, clock),
    database: open.database,
  })
  if (root === undefined) throw new Error(`no reading of: ${first}`)
  let chain: readonly ChainLink[] = [{ text: first, askedAt, sql: root.meaning.sql }]
  let before = first
  let read: FollowUpInterpretation = { kind: 'new' }
  for (const text of said) {
    read = readThread({
      followUp: { said: text, askedAt, before, chain, confidence: 0.9 },
      catalog: open.database.catalog,
      findValues: open.database.findValues,
      timeZone: clock.timeZone,
    })
    if (read.kind !== 'edit') return read
    const [reading] = read.readings
    before = read.text
    chain = [...chain, { text, askedAt, sql: reading?.meaning?.sql ?? reading?.sql ?? '' }]
  }
  return read
}

const run = async (sql: string): Promise<ResultTable> => {
  const verdict = open.database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return open.database.run(verdict.guarded)
}

const revenue = 'sum(l.quantity * l.unit_price_cents)'

const lines = 'order_lines l join orders o on o.id = l.order_id'

const withShops = `${lines} join shops s on s.id = o.shop_id`

const withProducts = `${lines} join products p on p.id = l.product_id`

const within = (from: string, until: string): string =>
  `o.placed_at >= '${from}' and o.placed_at < '${until}'`

const thisYear = within('2026-01-01', '2027-01-01')

const lastYear = within('2025-01-01', '2026-01-01')

const october = within('2026-10-01', '2026-11-01')

const month = "strftime('%Y-%m-01', o.placed_at)"

/** Threads as people type them, each with a statement that has the right rows. */
const threads: readonly (readonly [kind: string, said: readonly string[], gold: string])[] = [
  [
    'period',
    ['revenue last month', 'and the month before?'],
    `select ${revenue} from ${lines} where ${within('2026-09-01', '2026-10-01')}`,
  ],
  [
    'period',
    ['orders in October', 'what about the year before'],
    `select count(*) from orders o where ${within('2025-10-01', '2025-11-01')}`,
  ],
  [
    'period',
    ['orders in October', 'and in the same month last year?'],
    `select count(*) from orders o where ${within('2025-10-01', '2025-11-01')}`,
  ],
  [
    'period',
    ['revenue by channel this year', 'and last year?'],
    `select channel, ${revenue} from ${lines} where ${lastYear} group by 1`,
  ],
  [
    'period',
    ['revenue in Q2', 'the following quarter'],
    `select ${revenue} from ${lines} where ${within('2026-07-01', '2026-10-01')}`,
  ],
  [
    'period',
    ['orders per month in 2025', 'what about 2026'],
    `select ${month}, count(*) from orders o where ${thisYear} group by 1`,
  ],
  [
    'comparison',
    ['revenue last month', 'compare with the month before'],
    `select (select ${revenue} from ${lines} where ${october}), (select ${revenue} from ${lines} where ${within('2026-09-01', '2026-10-01')})`,
  ],
  [
    'comparison',
    ['orders by channel in October', 'compared to last year'],
    `select channel, sum(${october}), sum(${within('2025-10-01', '2025-11-01')}) from orders o where ${october} or ${within('2025-10-01', '2025-11-01')} group by 1`,
  ],
  [
    'comparison',
    ['orders in Q3', 'how does that compare to Q2?'],
    `select (select count(*) from orders o where ${within('2026-07-01', '2026-10-01')}), (select count(*) from orders o where ${within('2026-04-01', '2026-07-01')})`,
  ],
  [
    'share',
    ['revenue by category this year', 'as a percentage'],
    `select category, ${revenue} * 1.0 / sum(${revenue}) over () from ${withProducts} where ${thisYear} group by 1`,
  ],
  [
    'share',
    ['orders by channel', 'show it as percentages please'],
    'select channel, count(*) * 1.0 / sum(count(*)) over () from orders group by 1',
  ],
  [
    'filter',
    ['orders by channel', 'exclude canceled'],
    "select channel, count(*) from orders where status <> 'canceled' group by 1",
  ],
  [
    'filter',
    ['revenue by shop this year', 'only web'],
    `select s.name, ${revenue} from ${withShops} where ${thisYear} and channel = 'web' group by s.id`,
  ],
  [
    'filter',
    ['how many orders did we get on the web this year?', 'and by phone?'],
    `select count(*) from orders o where ${thisYear} and channel = 'phone'`,
  ],
  [
    'filter',
    ['how many clients do we have in Sweden?', 'and for Germany?'],
    "select count(*) from clients where country = 'Germany'",
  ],
  [
    'filter',
    ['how many clients do we have in Sweden?', 'Norway too'],
    "select count(*) from clients where country in ('Sweden', 'Norway')",
  ],
  [
    'filter',
    ['revenue by category this year', 'drop cakes'],
    `select category, ${revenue} from ${withProducts} where ${thisYear} and category <> 'Cake' group by 1`,
  ],
  [
    'grouping',
    ['revenue by shop this year', 'by channel instead'],
    `select channel, ${revenue} from ${lines} where ${thisYear} group by 1`,
  ],
  [
    'grouping',
    ['revenue this year', 'break it down by category'],
    `select category, ${revenue} from ${withProducts} where ${thisYear} group by 1`,
  ],
  [
    'grouping',
    ['revenue by category this year', 'and by channel?'],
    `select category, channel, ${revenue} from ${withProducts} where ${thisYear} group by 1, 2`,
  ],
  [
    'grouping',
    ['orders this year', 'monthly please'],
    `select ${month}, count(*) from orders o where ${thisYear} group by 1`,
  ],
  [
    'grouping',
    ['orders per month this year', 'make it weekly'],
    `select date(o.placed_at, '-6 days', 'weekday 1'), count(*) from orders o where ${thisYear} group by 1`,
  ],
  [
    'grouping',
    ['revenue by category this year', 'just the total'],
    `select ${revenue} from ${lines} where ${thisYear}`,
  ],
  [
    'rank',
    ['revenue by product this year', 'only top 3'],
    `select p.name, ${revenue} as r from ${withProducts} where ${thisYear} group by p.id order by r desc limit 3`,
  ],
  [
    'rank',
    ['top 5 products by revenue this year', 'show me ten'],
    `select p.name, ${revenue} as r from ${withProducts} where ${thisYear} group by p.id order by r desc limit 10`,
  ],
  [
    'rank',
    ['top 5 products by revenue this year', 'and the bottom 5?'],
    `select p.name, ${revenue} as r from ${withProducts} where ${thisYear} group by p.id order by r limit 5`,
  ],
  [
    'rank',
    ['which shop had the most orders this year?', 'and the fewest?'],
    `select s.name from orders o join shops s on s.id = o.shop_id where ${thisYear} group by s.id order by count(*) limit 1`,
  ],
  [
    'figure',
    ['revenue by shop this year', 'number of orders instead'],
    `select s.name, count(*) from orders o join shops s on s.id = o.shop_id where ${thisYear} group by s.id`,
  ],
  [
    'figure',
    ['orders by channel this year', 'what about revenue?'],
    `select channel, ${revenue} from ${lines} where ${thisYear} group by 1`,
  ],
  [
    'figure',
    ['average salary of bakers', 'and the median?'],
    'select (select avg(salary) from bakers), (select salary from bakers order by salary limit 1 offset 4)',
  ],
  ['figure', ['average salary of bakers', 'the highest instead'], 'select max(salary) from bakers'],
  [
    'running',
    ['revenue per month this year', 'cumulative'],
    `select m, sum(r) over (order by m) from (select ${month} as m, ${revenue} as r from ${lines} where ${thisYear} group by 1)`,
  ],
  [
    'rows',
    ['how many bakers left this year?', 'who are they?'],
    "select first_name, last_name from bakers where left_on >= '2026-01-01'",
  ],
  ['rows', ['list the shops', 'with their city'], 'select name, city from shops'],
  ['rows', ['list the shops', 'when were they opened?'], 'select name, opened_on from shops'],
  [
    'rows',
    ['list the clients from Sweden', 'how many are there?'],
    "select count(*) from clients where country = 'Sweden'",
  ],
  [
    'chain',
    ['revenue this year', 'by category', 'only web', 'as a percentage'],
    `select category, ${revenue} * 1.0 / sum(${revenue}) over () from ${withProducts} where ${thisYear} and channel = 'web' group by 1`,
  ],
  [
    'chain',
    ['orders in October', 'compare with last year', 'and in September?'],
    `select (select count(*) from orders o where ${within('2026-09-01', '2026-10-01')}), (select count(*) from orders o where ${within('2025-09-01', '2025-10-01')})`,
  ],
  ['rows', ['orders by status', 'which ones are open?'], "select id from orders where status = 'open'"],
  [
    'bound',
    ['clients with more than 15 orders', 'more than 18 orders'],
    'select name from clients c where (select count(*) from orders where client_id = c.id) > 18',
  ],
  [
    'bound',
    ['revenue by product this year', 'only those over 1000'],
    `select p.name from ${withProducts} where ${thisYear} group by p.id having ${revenue} > 100000`,
  ],
  [
    'chain',
    ['orders by channel this year', 'in percent', 'over time'],
    `select ${month}, channel, count(*) * 1.0 / sum(count(*)) over (partition by ${month}) from orders o where ${thisYear} group by 1, 2`,
  ],
]

describe('a follow-up changes the metric query before it', () => {
  it.each(threads.map(([kind, said, gold]) => ({ kind, thread: said.join(' > '), said, gold })))(
    '$kind: $thread',
    async ({ said: [first = '', ...said], gold }) => {
      const read = follow(first, ...said)
      const [reading] = read.kind === 'edit' ? read.readings : []
      expect(reading?.unused ?? read.kind).toEqual([])
      expect(coversRows(await run(reading?.meaning?.sql ?? ''), await run(gold))).toBe(true)
    },
  )

  it.each([
    ['orders by channel', 'sort by channel', 'ORDER BY channel'],
    ['revenue by category this year', 'lowest first', 'ORDER BY revenue'],
    ['list the clients', 'alphabetically', 'ORDER BY name'],
    ['list the bakers', 'sort by salary', 'ORDER BY salary DESC'],
  ])('order: %s > %s', (first, said, order) => {
    const read = follow(first, said)
    expect(read.kind === 'edit' && read.readings[0]?.meaning?.sql.trimEnd()).toMatch(
      new RegExp(`${order}( NULLS LAST)?$`),
    )
  })

  it.each(['as a pie chart', 'make it a bar chart', 'plot that'])('chart: %s', said => {
    const read = follow('revenue by category this year', said)
    expect(read).toMatchObject({ kind: 'edit', show: 'chart' })
  })
})

describe('a change', () => {
  it.each(['only web', 'by month instead', 'what about September'])('in plain words is sure: %s', said => {
    expect(follow('orders by channel in October', said)).toMatchObject({ kind: 'edit', isSure: true })
  })

  it.each(['no, only web', 'web looks off, can you split it by month'])(
    'that objects or doubts is not: %s',
    said => {
      const read = follow('orders by channel in October', said)
      expect(read.kind).toBe('edit')
      expect(read.kind === 'edit' && read.isSure).toBeUndefined()
    },
  )
})

describe('what a changed answer says', () => {
  it('is what changed, and by which date rows count now', () => {
    const read = follow('revenue by category last month', 'and the month before?')
    expect(read.kind === 'edit' && read.readings[0]?.assumptions.map(assumptionText)).toEqual([
      'Same as before, now “Sep 2026”.',
      expect.stringMatching(/^Revenue is the sum of /),
      'Order lines by date placed of the order: Sep 1 to 30, 2026 (UTC).',
    ])
  })

  it('is the whole question with the change applied, for models and verified questions', () => {
    expect(follow('orders by channel in October', 'and in September?')).toMatchObject({
      text: 'orders by channel in September 2026',
    })
  })
})

describe('what is no change', () => {
  it.each([
    ['revenue by category this year', 'how many clients do we have?'],
    ['revenue by category this year', 'top 5 clients by number of orders'],
    ['orders by channel', 'orders by shop last month'],
    ['orders by channel', 'thanks!'],
  ])('%s > %s', (first, said) => {
    expect(follow(first, said).kind).toBe('new')
  })

  it.each([
    ['by channel looks fine', 'remark'],
    ["that can't be right", 'unreadable'],
  ])('%s is a comment on the answer: %s', (said, kind) => {
    expect(follow('orders by channel', said).kind).toBe(kind)
  })

  it('words that nothing is called by are said', () => {
    expect(follow('orders by channel', 'only giraffes')).toMatchObject({ kind: 'unreadable' })
  })
})

describe('after a mean of stretches of time', () => {
  const sqlAfter = (...said: readonly string[]): string => {
    const read = follow('how many orders per day on average last month?', ...said)
    return read.kind === 'edit' ? (read.readings[0]?.sql ?? '') : read.kind
  }

  it.each([
    ['by month', /^SELECT date\(placed_at, 'start of month'\) AS month, COUNT\(\*\) AS orders/],
    ['by channel', /^SELECT channel, 1\.0 \* SUM\(orders\) .*AS average_orders_per_day/],
    ['only web', /^SELECT 1\.0 \* SUM\(orders\) .*AS average_orders_per_day.*channel = 'web'/s],
  ])('%s', (said, sql) => {
    expect(sqlAfter(said)).toMatch(sql)
  })
})
