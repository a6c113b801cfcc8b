import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { Client as Postgres } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { connectClient, type Elicited, type HttpMcp, spawnMcp, startHttpMcp } from './connect.ts'
import { openShopFolder, type ShopFolder } from './open-shop.ts'

/** What the official SDK's client can do, the same over both transports. */

let store: TestDatabase
let shop: ShopFolder
let http: HttpMcp

const token = 'b2'.repeat(20)

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
  shop = openShopFolder(store.url, {
    mcp: { tokens: { ada: { token, person: 'ada', databases: ['shop'] } } },
  })
  http = await startHttpMcp(shop)
})

afterAll(async () => {
  await http?.[Symbol.asyncDispose]()
  shop?.remove()
  await store?.drop()
})

const rowsOfStore = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Postgres({ connectionString: store.url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const transports: readonly (readonly [string, () => Transport])[] = [
  ['stdio', () => spawnMcp(shop)],
  ['streamable HTTP', () => http.transport(token) as Transport],
]

describe.each(transports)('over %s', (_, transport) => {
  const connect = (elicited?: Elicited) => connectClient(transport(), elicited)

  it('a client sees tools that only read, with schemas', async () => {
    await using made = await connect()
    const { tools } = await made.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'ask',
      'list_metrics',
      'list_verified_queries',
      'query_metric',
      'reply',
      'run_sql',
      'search_schema',
    ])
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      expect(annotations?.readOnlyHint).toBe(true)
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
      expect(description).toMatch(/\.$/)
    }
  })

  it('asks, and gets a headline, a table, what was assumed and the SQL', async () => {
    await using made = await connect()
    const { text, data } = await made.call('ask', { question: 'How many orders are there by status?' })
    expect(data).toMatchObject({ status: 'answered', database: 'shop', rowCount: 2, truncated: false })
    expect(text.split('\n')[0]).toBe(`**${data.headline}**`)
    expect(text).toMatch(/\n\| Status \| .*\n\| --- \| ---: \|\n/)
    expect(text).toMatch(/```sql\n[\s\S]*orders[\s\S]*```/)
    expect(data.rows.flat()).toEqual(expect.arrayContaining(['paid', 4, 'cancelled', 1]))
  })

  it('gets a question back as options and answers it with the tool reply', async () => {
    await using made = await connect()
    const asked = await made.call('ask', { question: 'orders by country' })
    expect(asked.data).toMatchObject({ status: 'needs-clarification', questionId: expect.any(String) })
    const labels: readonly string[] = asked.data.options.map((one: { label: string }) => one.label)
    expect(labels.join(' ')).toMatch(/Billing.*Shipping|Shipping.*Billing/i)
    expect(asked.text).toContain(asked.data.questionId)
    const option = labels.findIndex(label => /shipping/i.test(label)) + 1
    const { data } = await made.call('reply', { questionId: asked.data.questionId, option })
    expect(data).toMatchObject({ status: 'answered', questionId: asked.data.questionId })
    expect(data.sql).toContain('shipping_country')
  })

  it('gets a question back by elicitation and goes on with the choice', async () => {
    const seen: string[] = []
    await using made = await connect(({ message, labels }) => {
      seen.push(message, ...labels)
      const choice = labels.find(label => /billing/i.test(label))
      return { action: 'accept', content: { choice: choice ?? '' } }
    })
    const { data } = await made.call('ask', { question: 'orders by country' })
    expect(seen[0]).toMatch(/country/i)
    expect(seen.length).toBeGreaterThan(2)
    expect(data).toMatchObject({ status: 'answered' })
    expect(data.sql).toContain('billing_country')
  })

  it('shows the options if the person declines to choose', async () => {
    await using made = await connect(() => ({ action: 'decline' }))
    const { data } = await made.call('ask', { question: 'orders by country' })
    expect(data).toMatchObject({ status: 'needs-clarification' })
    const { data: replied } = await made.call('reply', {
      questionId: data.questionId,
      text: 'billing country',
    })
    expect(replied.sql).toContain('billing_country')
  })

  it('lists metrics and computes one', async () => {
    await using made = await connect()
    const listed = await made.call('list_metrics', { search: 'revenue' })
    expect(listed.text).toContain(
      'net_revenue: What orders brought in, without those that were cancelled., in EUR',
    )
    expect(listed.data.metrics[0]).toMatchObject({ name: 'net_revenue', status: 'accepted' })
    const { text, data } = await made.call('query_metric', {
      metrics: ['net_revenue'],
      by: ['order.billing_country'],
      period: { from: '2026-11-01', until: '2026-12-01' },
      sort: [{ by: 'net_revenue' }],
    })
    expect(data.rows).toEqual([
      ['Germany', 10000],
      ['Norway', 5000],
    ])
    expect(text).toContain('€100.00')
  })

  it('is refused a write and a hidden column, and told what to do', async () => {
    await using made = await connect()
    for (const [sql, why] of [
      ['DELETE FROM orders', /SELECT/],
      ['SELECT email FROM customers', /email/],
      ['SELECT * FROM salaries', /salaries/],
      ["SELECT 1; UPDATE orders SET status = 'x'", /statement/i],
    ] as const) {
      const refused = await made.call('run_sql', { sql })
      expect([sql, refused.isError]).toEqual([sql, true])
      expect(refused.text).toMatch(why)
      expect(refused.text).toContain('Send one SELECT')
    }
    const open = await made.call('run_sql', { sql: 'SELECT name FROM customers ORDER BY name' })
    expect(open.data.rows).toEqual([['Ada'], ['Bo']])
  })

  it('finds tables without what is hidden', async () => {
    await using made = await connect()
    const all = await made.call('search_schema')
    expect(all.data.tables.map(({ name }: { name: string }) => name)).toEqual(['customers', 'orders'])
    const found = await made.call('search_schema', { search: 'customer email Norway' })
    expect(found.text).not.toMatch(/email|salar/)
    expect(found.data.values).toContainEqual(expect.objectContaining({ value: 'Norway' }))
    expect(found.data.joins).toContain('orders(customer_id) -> customers(id)')
  })
})

it('every statement is in the audit log, with its origin and the person who pays', async () => {
  const rows = await rowsOfStore(
    `select distinct person, verdict, sql from querent.audit_log where origin = 'mcp' and sql ilike '%delete%'`,
  )
  expect(rows).toContainEqual({ person: 'ada', verdict: 'refused', sql: 'DELETE FROM orders' })
  const ran = await rowsOfStore(
    `select distinct person, team, command from querent.audit_log where origin = 'mcp' and verdict = 'ran'`,
  )
  expect(ran.map(({ person }) => person)).toContain('ada')
  expect(ran.every(({ command }) => command === 'querent mcp')).toBe(true)
})
