import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireService } from '../helpers/services/require-service.ts'
import { askTrino } from '../helpers/services/trino.ts'
import { withClient } from '../helpers/with-client.ts'
import { buttons, isQuestionBack } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

const clusterUrl = requireService('TRINO_URL', 'questions over a Trino cluster')

const postgresUrl = requireService('DATABASE_URL', 'questions over a Trino cluster')

const schema = `querent_${randomBytes(6).toString('hex')}`

const shop = `
  create schema ${schema};
  create table ${schema}.customers (id integer primary key, name text, city text);
  create table ${schema}.orders (id integer primary key, customer_id integer, status text, placed_on date);
  insert into ${schema}.customers values (1, 'Ada', 'Oslo'), (2, 'Bo', 'Bergen'), (3, 'Cy', 'Oslo');
  insert into ${schema}.orders values (11, 1, 'paid', '2026-01-05'), (12, 1, 'open', '2026-01-07'),
    (13, 2, 'paid', '2026-02-01'), (14, 3, 'returned', '2026-02-03');
`

const web = [
  `create schema memory.${schema}`,
  `create table memory.${schema}.events (id integer, order_id integer, kind varchar, happened_at timestamp(3))`,
  `insert into memory.${schema}.events values (1, 11, 'view', timestamp '2026-01-05 10:00:00'),
    (2, 11, 'pay', timestamp '2026-01-05 10:05:00'), (3, 12, 'view', timestamp '2026-01-07 09:00:00'),
    (4, 13, 'view', timestamp '2026-02-01 09:00:00'), (5, 13, 'pay', timestamp '2026-02-01 09:10:00'),
    (6, 14, 'refund', timestamp '2026-02-04 09:10:00')`,
]

const isAnswer = ({ blocks }: { readonly blocks: unknown }): boolean =>
  JSON.stringify(blocks).includes('Show SQL')

describe.skipIf(clusterUrl === null || postgresUrl === null)('questions over a cluster', () => {
  const url = clusterUrl ?? ''
  const admin = (sql: string) => askTrino(url, sql, { catalog: 'memory', schema: 'default' })
  let workspace: TestWorkspace

  beforeAll(async () => {
    await withClient(postgresUrl ?? '', client => client.query(shop))
    for (const sql of web) await admin(sql)
    workspace = await openWorkspace({
      databaseUrl: `${url}/postgresql/${schema}?also=memory.${schema},tpch.tiny`,
      more: () => ({ limits: { heavyRows: 10_000 } }),
    })
    await workspace.bot.start()
  })
  afterAll(async () => {
    await workspace?.[Symbol.asyncDispose]()
    await admin(`drop table memory.${schema}.events`)
    await admin(`drop schema memory.${schema}`)
    await withClient(postgresUrl ?? '', client => client.query(`drop schema ${schema} cascade`))
  })

  it('one question reads two catalogs: orders in one, their events in another', async () => {
    const question = await workspace.ask('@querent how many events are there for each order status?')
    const answer = await workspace.reply(question, isAnswer, 90_000)
    expect(answer.text).toContain('Paid')
    expect(JSON.stringify(answer.blocks)).toMatch(/"paid".*"4"/s)
    expect(workspace.simulator.problems()).toEqual([])
  }, 120_000)

  it('what would read much is estimated before it runs, and runs on a click', async () => {
    const question = await workspace.ask('@querent how many lineitems are there?')
    const back = await workspace.reply(question, isQuestionBack, 90_000)
    expect(back.text).toContain('This reads about 60,000 rows, most of them of lineitem.')
    expect(buttons(back)).toEqual(['Run it', 'Narrow it', 'Cancel', 'Something else…'])
    await workspace.simulator.click({ by: 'ada', on: back, label: 'Run it' })
    const answer = await workspace.reply(question, isAnswer, 60_000)
    expect(answer.text).toContain('60,175')
  }, 180_000)
})
