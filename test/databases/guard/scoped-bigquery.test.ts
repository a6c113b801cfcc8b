import { describe, expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { applyScope } from '../../../src/databases/guard/scope/apply-scope.ts'
import type { Catalog, Column, Table } from '../../../src/domain/catalog.ts'

const column = (name: string): Column => ({
  ...{ name, type: 'INT64', kind: 'integer', nullable: true, comment: null, profile: null },
})

const table = (schema: string | null, name: string): Table => ({
  schema,
  ...(schema === null && { home: 'shop' }),
  ...{ name, type: 'table', comment: null, rowCount: 1, primaryKey: [] },
  columns: [column('id'), column('pay')],
})

const catalog: Catalog = {
  ...{ dialect: 'bigquery', foreignKeys: [], fingerprint: 'x' },
  tables: [table(null, 'orders'), table('hr', 'salaries'), table('other.web', 'clicks')],
}

const scoped = await applyScope(
  { introspect: async () => catalog, guard: makeGuard() },
  { tables: { include: [], exclude: ['hr.*'] }, columns: { exclude: ['orders.pay'], mask: [] } },
)

/** Backticks around a whole path, wildcards and whole rows are ways around a list that other engines do not have. */
describe('lists of tables and columns on BigQuery', () => {
  it.each([
    'SELECT id FROM hr.salaries',
    'SELECT id FROM `hr`.`salaries`',
    'SELECT id FROM `hr.salaries`',
    'SELECT id FROM `p.hr.salaries`',
    'SELECT id FROM p.hr.salaries',
    'SELECT id FROM `p.hr`.salaries',
    'SELECT id FROM HR.Salaries',
    'SELECT id FROM `hr.salar*`',
    'SELECT id FROM hr.`salar*`',
    'SELECT pay FROM orders',
    'SELECT PAY FROM orders',
    'SELECT pay FROM `shop.orders`',
    'SELECT pay FROM `p.shop.orders`',
    'SELECT pay FROM p.shop.orders',
    'SELECT pay FROM shop.orders',
    'SELECT * FROM orders',
    'SELECT * EXCEPT (id) FROM orders',
    'SELECT TO_JSON_STRING(o) FROM orders AS o',
    'SELECT o FROM orders AS o',
    'SELECT ARRAY_AGG(o) FROM orders AS o',
    'SELECT AS STRUCT * FROM orders',
    'SELECT STRUCT(o) FROM orders AS o',
    'SELECT x FROM orders AS o, UNNEST([o]) AS x',
    'SELECT id FROM orders ORDER BY pay',
    'SELECT id FROM orders JOIN other.web.clicks USING (id, pay)',
  ])('hide what they name from %s', sql => {
    expect(scoped.guard(sql, 'bigquery').verdict).toBe('refuse')
  })

  it.each([
    'SELECT id FROM orders',
    'SELECT o.ID FROM `orders` AS o',
    'SELECT id FROM `other`.web.clicks',
    'SELECT COUNT(*) FROM shop.orders',
  ])('leave %s open', sql => {
    expect(scoped.guard(sql, 'bigquery')).toMatchObject({ verdict: 'allow' })
  })
})
