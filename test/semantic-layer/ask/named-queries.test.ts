import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import type { NamedQuery } from '../../../src/domain/metrics/named-query.ts'
import { compileNamedQuery, listLayer } from '../../../src/semantic-layer/ask/named-queries.ts'
import { openShop } from '../shop.ts'

let open: OpenDatabase

beforeAll(async () => {
  open = await openShop()
})

afterAll(() => open.close())

const nothing: NamedQuery = {
  ...{ metrics: [], rows: null, by: [], show: [], where: [], period: null, compare: null, share: null },
  ...{ running: null, having: [], sort: [], limit: null, limitPer: [] },
}

const compiled = (query: Partial<NamedQuery>) =>
  compileNamedQuery({
    query: { ...nothing, ...query },
    database: open.database,
    today: '2026-11-20',
    timeZone: 'UTC',
  })

const rowsOf = async (query: Partial<NamedQuery>) => {
  const made = compiled(query)
  if (!made.ok) throw new Error(made.problems.join('\n'))
  const verdict = open.database.guard(made.sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const { rows } = await open.database.run(verdict.guarded)
  return { rows, assumptions: made.assumptions, columns: made.meaning.columns }
}

const count = { figure: 'count(order)', where: [], per: null }

describe('a query in the names of a layer', () => {
  it('is computed, with what its columns mean', async () => {
    const { rows, columns } = await rowsOf({ metrics: [count], by: ['order.status'] })
    expect(rows).toEqual([
      ['paid', 2],
      ['cancelled', 1],
    ])
    expect(columns.map(({ label }) => label)).toEqual(['Status', 'Orders'])
  })

  it('can use every metric that is listed', () => {
    for (const { name } of listLayer(open.database).metrics)
      expect([name, compiled({ metrics: [{ figure: name, where: [], per: null }] }).ok]).toEqual([name, true])
  })

  it('is compared with texts of its own; one that the database is not known to have is said', async () => {
    const where = (value: string) => [{ at: 'order.status', is: '=' as const, values: [value] }]
    expect(await rowsOf({ metrics: [count], where: where('PAID') })).toMatchObject({
      rows: [[2]],
      assumptions: [],
    })
    const { rows, assumptions } = await rowsOf({ metrics: [count], where: where('piad') })
    expect(rows).toEqual([[0]])
    expect(assumptions).toEqual([expect.stringContaining('has no value piad; did you mean paid')])
  })

  it.each([
    [{ metrics: [{ figure: 'orders_count', where: [], per: null }] }, /There is no metric orders_count/],
    [{ metrics: [count], by: ['order.colour'] }, /There is no dimension of order colour/],
    [{}, /neither a metric nor a model/],
    [{ metrics: [count], period: { from: 'May', until: null, date: null } }, /no day/],
  ])('that cannot be read says what to write instead: %j', (query, problem) => {
    const made = compiled(query)
    expect(made.ok ? '' : made.problems.join('\n')).toMatch(problem)
  })

  it('never becomes SQL of its writer', () => {
    const text = "x'; DELETE FROM orders; --"
    const made = compiled({ metrics: [count], where: [{ at: 'order.status', is: '=', values: [text] }] })
    if (!made.ok) throw new Error(made.problems.join('\n'))
    expect(open.database.guard(made.sql).verdict).toBe('allow')
    expect(made.sql).toContain("'x''; DELETE FROM orders; --'")
  })
})

describe('the list of a layer', () => {
  it('has units as numbers are shown, and values of categories alone', () => {
    const { metrics, models } = listLayer(open.database)
    expect(metrics.find(({ name }) => name === 'revenue')).toMatchObject({ unit: 'money', models: ['order'] })
    const order = models.find(({ name }) => name === 'order')
    expect(order?.dimensions.find(({ name }) => name === 'status')?.values).toEqual(['paid', 'cancelled'])
    expect(order?.dimensions.find(({ type }) => type === 'timestamp')?.values).toEqual([])
    expect(order?.joins).toEqual([{ name: 'customer', to: 'customer' }])
  })
})
