import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import type { MetricReading } from '../../../src/domain/metrics/metric-reading.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { coversRows } from '../../../src/evaluation/score-question.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { readMetricQuestion } from '../../../src/semantic-layer/read-metric-question.ts'
import { clock, openBakery } from './bakery.ts'

let open: OpenDatabase

beforeAll(async () => {
  open = await openBakery()
})

afterAll(async () => {
  await open.close()
})

const read = (question: string): readonly MetricReading[] =>
  readMetricQuestion({ understanding: understandQuestion(question, clock), database: open.database })

const run = async (sql: string): Promise<ResultTable> => {
  const verdict = open.database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return open.database.run(verdict.guarded)
}

const revenue = 'sum(l.quantity * l.unit_price_cents)'

const lines = 'order_lines l join orders o on o.id = l.order_id'

const october = "o.placed_at >= '2026-10-01' and o.placed_at < '2026-11-01'"

const september = "o.placed_at >= '2026-09-01' and o.placed_at < '2026-10-01'"

const thisYear = "o.placed_at >= '2026-01-01' and o.placed_at < '2027-01-01'"

const month = "strftime('%Y-%m-01', o.placed_at)"

/** Questions as people type them, each with a statement that has the right rows. */
const questions: readonly (readonly [kind: string, question: string, gold: string])[] = [
  ['total', 'What was our revenue last month?', `select ${revenue} from ${lines} where ${october}`],
  ['total', 'how many orders did we get in October', `select count(*) from orders o where ${october}`],
  ['total', 'turnover this year', `select ${revenue} from ${lines} where ${thisYear}`],
  ['breakdown', 'orders by channel', 'select channel, count(*) from orders group by 1'],
  [
    'duration',
    'how many orders were delivered within 2 days?',
    'select count(*) from orders where (unixepoch(delivered_on) - unixepoch(placed_at)) / 86400.0 <= 2',
  ],
  [
    'duration',
    'how many orders took more than 3 days to deliver?',
    'select count(*) from orders where (unixepoch(delivered_on) - unixepoch(placed_at)) / 86400.0 > 3',
  ],
  [
    'duration',
    'which shop delivers fastest?',
    'select s.name from orders o join shops s on s.id = o.shop_id group by s.id order by avg(unixepoch(o.delivered_on) - unixepoch(o.placed_at)) limit 1',
  ],
  [
    'share',
    'how many clients ordered again?',
    'select count(*) from clients where id in (select client_id from orders group by 1 having count(*) > 1)',
  ],
  [
    'breakdown',
    'revenue by category last month',
    `select p.category, ${revenue} from ${lines} join products p on p.id = l.product_id where ${october} group by 1`,
  ],
  [
    'breakdown',
    'sales per shop and channel this year',
    `select s.name, o.channel, ${revenue} from ${lines} join shops s on s.id = o.shop_id where ${thisYear} group by 1, 2`,
  ],
  [
    'series',
    'revenue per month this year',
    `select ${month}, ${revenue} from ${lines} where ${thisYear} group by 1`,
  ],
  [
    'series',
    'new customers per quarter',
    "select case strftime('%m', created_at) when '01' then strftime('%Y', created_at) || '-01-01' when '02' then strftime('%Y', created_at) || '-01-01' when '03' then strftime('%Y', created_at) || '-01-01' when '04' then strftime('%Y', created_at) || '-04-01' when '05' then strftime('%Y', created_at) || '-04-01' when '06' then strftime('%Y', created_at) || '-04-01' when '07' then strftime('%Y', created_at) || '-07-01' when '08' then strftime('%Y', created_at) || '-07-01' when '09' then strftime('%Y', created_at) || '-07-01' else strftime('%Y', created_at) || '-10-01' end, count(*) from clients group by 1",
  ],
  [
    'ranking',
    'top 3 products by revenue this year',
    `select p.name, ${revenue} r from ${lines} join products p on p.id = l.product_id where ${thisYear} group by p.id order by r desc limit 3`,
  ],
  [
    'ranking',
    'which channel had the most orders last month?',
    `select channel, count(*) n from orders o where ${october} group by 1 order by n desc limit 1`,
  ],
  [
    'ranking',
    'least popular channel this year by orders',
    `select channel, count(*) n from orders o where ${thisYear} group by 1 order by n limit 1`,
  ],
  [
    'share',
    'share of revenue by category this year',
    `select p.category, ${revenue}, 1.0 * ${revenue} / (select ${revenue} from ${lines} where ${thisYear}) from ${lines} join products p on p.id = l.product_id where ${thisYear} group by 1`,
  ],
  [
    'share',
    'what percentage of orders was canceled this year?',
    `select 1.0 * sum(status = 'canceled') / count(*) from orders o where ${thisYear}`,
  ],
  [
    'ratio',
    'average revenue per customer this year',
    `select 1.0 * ${revenue} / count(distinct o.client_id) from ${lines} where ${thisYear}`,
  ],
  [
    'growth',
    'revenue in October 2026 compared with September 2026',
    `select sum(case when o.placed_at >= '2026-10-01' then l.quantity * l.unit_price_cents end), sum(case when o.placed_at < '2026-10-01' then l.quantity * l.unit_price_cents end) from ${lines} where o.placed_at >= '2026-09-01' and o.placed_at < '2026-11-01'`,
  ],
  [
    'running',
    'cumulative revenue by month this year',
    `select m, sum(r) over (order by m) from (select ${month} m, ${revenue} r from ${lines} where ${thisYear} group by 1)`,
  ],
  [
    'compare',
    'web vs phone orders this year',
    `select channel, count(*) from orders o where channel in ('web', 'phone') and ${thisYear} group by 1`,
  ],
  [
    'top-per-group',
    'best product in each category by revenue',
    `select category, name, r from (select p.category, p.name, ${revenue} r, row_number() over (partition by p.category order by ${revenue} desc) n from ${lines} join products p on p.id = l.product_id group by p.id) where n = 1`,
  ],
  [
    'top-per-group',
    'cheapest product in each category',
    'select category, name from (select *, row_number() over (partition by category order by list_price_cents) n from products) where n = 1',
  ],
  ['max-row', 'most expensive product', 'select name from products order by list_price_cents desc limit 1'],
  [
    'absence',
    'customers without orders',
    'select name from clients where id not in (select client_id from orders)',
  ],
  [
    'absence',
    'customers in Norway who have not ordered this year',
    `select name from clients c where country = 'Norway' and not exists (select 1 from orders o where o.client_id = c.id and ${thisYear})`,
  ],
  [
    'absence',
    'which products were never sold',
    'select name from products where id not in (select product_id from order_lines)',
  ],
  [
    'event',
    'which bakers left last month',
    "select first_name, last_name from bakers where left_on >= '2026-10-01' and left_on < '2026-11-01'",
  ],
  [
    'having',
    'customers with more than 20 orders',
    'select name from clients c join orders o on o.client_id = c.id group by c.id having count(*) > 20',
  ],
  [
    'having',
    'customers with fewer than 15 orders',
    'select name from clients c left join orders o on o.client_id = c.id group by c.id having count(o.id) < 15',
  ],
  [
    'duration',
    'how many days does it take on average from order to delivery',
    'select avg(julianday(delivered_on) - julianday(placed_at)) from orders',
  ],
  ['statistics', 'median salary', 'select salary from bakers order by salary limit 1 offset 4'],
  [
    'statistics',
    'orders by weekday',
    "select (cast(strftime('%w', placed_at) as integer) + 6) % 7 + 1, count(*) from orders group by 1",
  ],
  [
    'max-row',
    'who made the latest order?',
    'select c.name, o.placed_at from orders o join clients c on c.id = o.client_id order by o.placed_at desc limit 1',
  ],
  ['statistics', 'what is the highest salary?', 'select max(salary) from bakers'],
  [
    'stock',
    'how many bakers did we have at the end of October?',
    "select count(*) from bakers where hired_on < '2026-11-01' and (left_on is null or left_on >= '2026-11-01')",
  ],
  [
    'stock',
    'how many bakers did we have at the start of October?',
    "select count(*) from bakers where hired_on < '2026-10-01' and (left_on is null or left_on >= '2026-10-01')",
  ],
  [
    'list',
    'which bakers left this year and when?',
    "select first_name, last_name, left_on from bakers where left_on >= '2026-01-01'",
  ],
  [
    'having',
    'countries with more than 9 cafe clients',
    "select country from clients where segment = 'cafe' group by 1 having count(*) > 9",
  ],
  [
    'having',
    'shops with more than 190 orders',
    'select s.name from shops s join orders o on o.shop_id = s.id group by s.id having count(*) > 190',
  ],
  [
    'absence',
    'which clients ordered in September but not in October?',
    `select name from clients c where exists (select 1 from orders o where o.client_id = c.id and ${september}) and not exists (select 1 from orders o where o.client_id = c.id and ${october})`,
  ],
  [
    'compare',
    'which shops had less revenue in October 2026 than in September 2026?',
    `select s.name from ${lines} join shops s on s.id = o.shop_id group by s.id having sum(case when ${october} then l.quantity * l.unit_price_cents else 0 end) < sum(case when ${september} then l.quantity * l.unit_price_cents else 0 end)`,
  ],
  [
    'compare',
    'Lund Bakery or Oslo Bakery: how many orders did each get this year?',
    `select s.name, count(*) from orders o join shops s on s.id = o.shop_id where s.name in ('Lund Bakery', 'Oslo Bakery') and ${thisYear} group by 1`,
  ],
  [
    'compare',
    'is revenue in October above or below September?',
    `select sum(case when ${october} then l.quantity * l.unit_price_cents end), sum(case when ${september} then l.quantity * l.unit_price_cents end) from ${lines}`,
  ],
  [
    'growth',
    'by how many percent did revenue grow in October 2026 compared with September 2026?',
    `select 1.0 * sum(case when ${october} then l.quantity * l.unit_price_cents end) / sum(case when ${september} then l.quantity * l.unit_price_cents end) - 1 from ${lines}`,
  ],
  [
    'share',
    'share of this years revenue by category',
    `select p.category, 1.0 * ${revenue} / (select ${revenue} from ${lines} where ${thisYear}) from ${lines} join products p on p.id = l.product_id where ${thisYear} group by 1`,
  ],
  [
    'list',
    'late orders this year - client, channel and promised date',
    `select c.name, o.channel, o.promised_on from orders o join clients c on c.id = o.client_id where o.delivered_on > o.promised_on and ${thisYear}`,
  ],
  ['flag', 'how many bakers work here today?', 'select count(*) from bakers where left_on is null'],
  [
    'chatty',
    'orders by channel - need it for the board deck',
    'select channel, count(*) from orders group by 1',
  ],
  ['flag', 'how many vegan products do we have', 'select count(*) from products where is_vegan = 1'],
  [
    'flag',
    'late orders this year',
    `select o.id from orders o where delivered_on > promised_on and ${thisYear}`,
  ],
  [
    'self-join',
    'bakers who earn more than their manager',
    'select b.first_name, b.last_name from bakers b join bakers m on m.id = b.manager_id where b.salary > m.salary',
  ],
  [
    'self-join',
    "Who is Dan Dahl's manager?",
    "select m.first_name, m.last_name from bakers b join bakers m on m.id = b.manager_id where b.last_name = 'Dahl'",
  ],
  [
    'cohort',
    'customers by the month of their first order',
    "select m, count(*) from (select strftime('%Y-%m-01', min(placed_at)) m from orders group by client_id) group by 1",
  ],
  [
    'yes-no',
    'did we have any orders from Germany last month?',
    `select count(*) from orders o join clients c on c.id = o.client_id where c.country = 'Germany' and ${october}`,
  ],
  [
    'typo',
    'revenue by chanel last month',
    `select o.channel, ${revenue} from ${lines} where ${october} group by 1`,
  ],
  [
    'chatty',
    'Hi there! I have a meeting with the board tomorrow. How many orders did we have last month? Thanks!',
    `select count(*) from orders o where ${october}`,
  ],
  ['total', 'orders so far this year', `select count(*) from orders o where ${thisYear}`],
  [
    'total',
    'how much did our clients spend in October 2026',
    `select ${revenue} from ${lines} where ${october}`,
  ],
  ['breakdown', 'Where do our clients come from?', 'select country, count(*) from clients group by 1'],
  [
    'having',
    'how many clients ordered at least twice?',
    'select count(*) from (select client_id from orders group by 1 having count(*) >= 2)',
  ],
  ['yes-no', 'Do we have any clients in Brazil?', "select count(*) from clients where country = 'Brazil'"],
  [
    'multi-filter',
    'how many Norwegian clients do we have',
    "select count(*) from clients where country = 'Norway'",
  ],
  [
    'top-per-group',
    'Best channel per shop by revenue this year',
    `with t as (select s.name a, o.channel b, ${revenue} c, row_number() over (partition by s.name order by ${revenue} desc) place from ${lines} join shops s on s.id = o.shop_id where ${thisYear} group by 1, 2) select a, b, c from t where place = 1`,
  ],
  [
    'cohort',
    'revenue by the year in which the client first ordered',
    `with f as (select client_id, strftime('%Y-01-01', min(placed_at)) y from orders group by 1) select y, ${revenue} from ${lines} join f on f.client_id = o.client_id group by 1`,
  ],
  [
    'growth',
    'which category grew fastest last month?',
    `select p.category, sum(case when ${october} then l.quantity * l.unit_price_cents else 0 end) now,
      sum(case when ${september} then l.quantity * l.unit_price_cents else 0 end) before
      from ${lines} join products p on p.id = l.product_id group by 1 order by 1.0 * (now - before) / before desc limit 1`,
  ],
  [
    'ranking',
    'which 3 products sell best in Sweden?',
    `select p.name, sum(l.quantity) n from ${lines} join products p on p.id = l.product_id
      join clients c on c.id = o.client_id where c.country = 'Sweden' group by p.id order by n desc limit 3`,
  ],
  [
    'ranking',
    'which category sells worst?',
    `select p.category, sum(l.quantity) n from ${lines} join products p on p.id = l.product_id group by 1 order by n limit 1`,
  ],
  [
    'absence',
    'how many customers bought nothing last month?',
    `select count(*) from clients c where not exists (select 1 from orders o where o.client_id = c.id and ${october})`,
  ],
  [
    'multi-filter',
    'revenue from cafe customers in Norway or Finland this year',
    `select ${revenue} from ${lines} join clients c on c.id = o.client_id where c.segment = 'cafe' and c.country in ('Norway', 'Finland') and ${thisYear}`,
  ],
  [
    'having',
    'how many clients have 20 orders or more?',
    'select count(*) from (select client_id from orders group by 1 having count(*) >= 20)',
  ],
  [
    'last time',
    'When was the last time a customer from Norway ordered?',
    "select max(o.placed_at) from orders o join clients c on c.id = o.client_id where c.country = 'Norway'",
  ],
  ['last time', 'when was our last order?', 'select max(placed_at) from orders'],
  [
    'distinct',
    'how many different customers did we see last month?',
    `select count(distinct o.client_id) from orders o where ${october}`,
  ],
  [
    'duration',
    'how many orders were delivered less than 2 days before they were promised?',
    'select count(*) from orders where (unixepoch(promised_on) - unixepoch(delivered_on)) / 86400.0 < 2',
  ],
  [
    'ranking',
    'which hour is busiest for orders from customers in Norway in 2025?',
    "select cast(strftime('%H', o.placed_at) as integer), count(*) n from orders o join clients c on c.id = o.client_id where c.country = 'Norway' and o.placed_at < '2026-01-01' group by 1 order by n desc limit 1",
  ],
  [
    'compare',
    'new vs returning clients last month by channel',
    `select channel, count(distinct case when first >= '2026-10-01' then o.client_id end), count(distinct case when first < '2026-10-01' then o.client_id end)
      from orders o join (select client_id, min(placed_at) first from orders group by 1) f on f.client_id = o.client_id where ${october} group by 1`,
  ],
  [
    'ranking',
    'what sold best in summer 2025?',
    `select p.name, sum(l.quantity) n from ${lines} join products p on p.id = l.product_id where o.placed_at >= '2025-06-01' and o.placed_at < '2025-09-01' group by p.id order by n desc limit 10`,
  ],
  [
    'absence',
    "which clients haven't ordered in 6 months?",
    "select name from clients c where not exists (select 1 from orders o where o.client_id = c.id and o.placed_at >= '2026-05-21')",
  ],
]

describe('an everyday question about a database that nobody has described', () => {
  it.each(questions)('%s: %s', async (_, question, gold) => {
    const [first] = read(question)
    expect(first, 'no reading').toBeDefined()
    const answer = await run(first!.meaning.sql)
    expect({ sql: first!.meaning.sql, right: coversRows(answer, await run(gold)) }).toEqual({
      sql: first!.meaning.sql,
      right: true,
    })
  })

  it('drafts what was asked and shows the figure that ranks beside it', () => {
    const [first] = read('which channel had the most orders last month?')
    expect(first?.sql).not.toContain('COUNT(*) AS')
    expect(first?.meaning.columns.map(({ label }) => label)).toEqual(['Channel', 'Orders'])
  })

  it('says what it took a misspelled word for, what revenue is, and which date a period goes by', () => {
    const [first] = read('revenue by chanel last month')
    expect(first?.assumptions).toEqual([
      { kind: 'definition', label: 'Revenue', meaning: 'sum of order line amount' },
      {
        kind: 'counted-by',
        what: 'Order lines',
        date: 'date placed of the order',
        days: 'Oct 1 to 31, 2026',
        timeZone: 'UTC',
      },
      { kind: 'spelling', from: 'chanel', to: 'channel' },
    ])
  })

  it('writes a corrected word as the database has it', () => {
    const [first] = read('how many orders from Germny last month')
    expect(first?.assumptions).toContainEqual({ kind: 'spelling', from: 'Germny', to: 'Germany' })
  })

  it('says which words it does not use', () => {
    const [first] = read('quixotic revenue last month')
    expect(first?.unused).toEqual(['quixotic'])
  })
})
