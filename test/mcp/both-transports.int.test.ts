import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { Client as Postgres } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import {
  connectClient,
  type Elicited,
  type HttpMcp,
  spawnMcp,
  startHttpMcp,
  type TestClient,
} from './connect.ts'
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

describe.each(transports)('over %s', { timeout: 180_000 }, (_, transport) => {
  /** A client that cannot ask its person anything, and one that can. */
  let plain: TestClient
  let asking: TestClient
  let elicited: Elicited

  beforeAll(async () => {
    plain = await connectClient(transport())
    asking = await connectClient(transport(), asked => elicited(asked))
  })

  afterAll(async () => {
    await plain?.[Symbol.asyncDispose]()
    await asking?.[Symbol.asyncDispose]()
  })

  it('a client sees tools that only read, with schemas', async () => {
    const { tools } = await plain.client.listTools()
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
    const { text, data } = await plain.call('ask', { question: 'How many orders are there by status?' })
    expect(data).toMatchObject({ status: 'answered', database: 'shop', rowCount: 2, truncated: false })
    expect(text.split('\n')[0]).toBe(`**${data.headline}**`)
    expect(text).toMatch(/\n\| Status \| .*\n\| --- \| ---: \|\n/)
    expect(text).toMatch(/```sql\n[\s\S]*orders[\s\S]*```/)
    expect(data.rows.flat()).toEqual(expect.arrayContaining(['paid', 4, 'cancelled', 1]))
  })

  it('gets a question back as options and answers it with the tool reply', async () => {
    const asked = await plain.call('ask', { question: 'orders by country' })
    expect(asked.data).toMatchObject({ status: 'needs-clarification', questionId: expect.any(String) })
    const labels: readonly string[] = asked.data.options.map((one: { label: string }) => one.label)
    expect(labels.join(' ')).toMatch(/Billing.*Shipping|Shipping.*Billing/i)
    expect(asked.text).toContain(asked.data.questionId)
    const option = labels.findIndex(label => /shipping/i.test(label)) + 1
    const wrong = await plain.call('reply', { questionId: asked.data.questionId, option: 9 })
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('There is no option 9.')])
    const { data } = await plain.call('reply', { questionId: asked.data.questionId, option })
    expect(data).toMatchObject({ status: 'answered', questionId: asked.data.questionId })
    expect(data.sql).toContain('shipping_country')
  })

  it('gets a question back by elicitation and goes on with the choice', async () => {
    const seen: string[] = []
    elicited = ({ message, labels }) => {
      seen.push(message, ...labels)
      const choice = labels.find(label => /billing/i.test(label))
      return { action: 'accept', content: { choice: choice ?? '' } }
    }
    const { data } = await asking.call('ask', { question: 'orders by country' })
    expect(seen[0]).toMatch(/country/i)
    expect(seen.length).toBeGreaterThan(2)
    expect(data).toMatchObject({ status: 'answered' })
    expect(data.sql).toContain('billing_country')
  })

  it('takes words of the person instead of a choice', async () => {
    elicited = () => ({ action: 'accept', content: { words: 'the shipping country' } })
    const { data } = await asking.call('ask', { question: 'orders by country' })
    expect(data.sql).toContain('shipping_country')
  })

  it('reports progress to a client that wants it', async () => {
    const messages: string[] = []
    await plain.client.callTool({ name: 'ask', arguments: { question: 'How many customers?' } }, undefined, {
      onprogress: ({ message }) => void messages.push(message ?? ''),
    })
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.every(message => message !== '')).toBe(true)
  })

  it('follows an earlier question', async () => {
    const first = await plain.call('ask', { question: 'How many orders are there by status?' })
    const { data } = await plain.call('ask', {
      question: 'only paid ones',
      follows: first.data.questionId,
    })
    expect(data).toMatchObject({ status: 'answered', rows: [['paid', 4]] })
  })

  it('shows the options if the person declines to choose', async () => {
    elicited = () => ({ action: 'decline' })
    const { data } = await asking.call('ask', { question: 'orders by country' })
    expect(data).toMatchObject({ status: 'needs-clarification' })
    const { data: replied } = await asking.call('reply', {
      questionId: data.questionId,
      text: 'billing country',
    })
    expect(replied.sql).toContain('billing_country')
  })

  it('lists metrics and computes one', async () => {
    const listed = await plain.call('list_metrics', { search: 'revenue' })
    expect(listed.text).toContain(
      'net_revenue, in EUR: What orders brought in, without those that were cancelled.',
    )
    expect(listed.data.metrics[0]).toMatchObject({ name: 'net_revenue', status: 'accepted' })
    const { text, data } = await plain.call('query_metric', {
      metrics: ['net_revenue'],
      by: ['order.billing_country'],
      period: { from: '2026-11-01', until: '2026-12-01' },
      sort: [{ by: 'net_revenue' }],
    })
    expect(data.rows).toEqual([
      ['Germany', 100],
      ['Norway', 50],
    ])
    expect(text).toContain('€100.00')
  })

  it('is refused a write and a hidden column, and told what to do', async () => {
    for (const [sql, why] of [
      ['DELETE FROM orders', /SELECT/],
      ['SELECT email FROM customers', /email/],
      ['SELECT phone FROM customers', /phone/],
      ['SELECT * FROM salaries', /salaries/],
      ["SELECT 1; UPDATE orders SET status = 'x'", /statement/i],
    ] as const) {
      const refused = await plain.call('run_sql', { sql })
      expect([sql, refused.isError]).toEqual([sql, true])
      expect(refused.text).toMatch(why)
      expect(refused.text).toContain('Send one SELECT')
    }
    const open = await plain.call('run_sql', { sql: 'SELECT name FROM customers ORDER BY name' })
    expect(open.data.rows).toEqual([['Ada'], ['Bo']])
  })

  it('answers nothing with what is hidden', async () => {
    for (const question of [
      'What is the email of Ada?',
      'What is the salary of Ada?',
      'What is the phone of Ada?',
      'list customers with email',
    ]) {
      const { text } = await plain.call('ask', { question })
      expect(text).not.toMatch(/@|555|1000|SELECT[^`]*(email|salar|phone)/i)
    }
  })

  it('finds tables without what is hidden', async () => {
    const all = await plain.call('search_schema')
    expect(all.data.tables.map(({ name }: { name: string }) => name)).toEqual(['customers', 'orders'])
    const found = await plain.call('search_schema', { search: 'customer email Norway' })
    expect(found.text).not.toMatch(/email|salar|555/)
    expect(found.text).toContain('phone TEXT, values hidden')
    const layer = await plain.call('list_metrics')
    expect(JSON.stringify(layer)).not.toMatch(/email|salar|555/)
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
