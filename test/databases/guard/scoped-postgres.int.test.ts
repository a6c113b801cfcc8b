import { Client } from 'pg'
import { expect, test } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { fullScope } from './scope-catalog.ts'

const limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 1_000_000 }

test('a scope holds over schemas, search paths, views and partitions of Postgres', async () => {
  await using made = await createTestDatabase()
  const client = new Client({ connectionString: made.url })
  await client.connect()
  try {
    await client.query(`
      create schema hr; create schema sales;
      create table sales.deals (id int, amount int, ssn text);
      insert into sales.deals select n, n, 'secret' || n from generate_series(1, 40) n;
      create table sales.targets (id int, amount int);
      create table customers (id int, name text, email text);
      insert into customers select n, 'Name' || n, 'mail' || n from generate_series(1, 40) n;
      create table hr.salaries (id int, amount int);
      create table hr.teams (id int, title text);
      create view names as select id, name from customers;
      create view contacts as select id, lower(email) as e from customers;
      create view wages as select c.name, s.amount from customers c join hr.salaries s using (id);
      create materialized view copies as select * from customers;
      create table parts (id int, k text) partition by list (id);
      create table parts_1 partition of parts for values in (1);
    `)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database ${rows[0]?.name} set search_path = sales, public`)
  } finally {
    await client.end()
  }
  const scope = fullScope({
    tables: { exclude: ['hr.salaries', 'sales.targets'] },
    columns: { exclude: ['customers.email'], mask: ['sales.*.ssn'] },
  })
  const opened = await openDatabase(parseDatabaseReference(made.url, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits,
    scope,
  })
  try {
    const { database } = opened
    const seen = database.catalog.tables.map(({ name, columns }) => [
      name,
      columns.map(column => (column.masked ? `${column.name} (masked)` : column.name)).join(' '),
    ])
    expect(Object.fromEntries(seen)).toEqual({
      customers: 'id name',
      deals: 'id amount ssn (masked)',
      names: 'id name',
      parts: 'id k',
      teams: 'id title',
    })
    for (const value of ['secret7', 'mail7']) expect(database.findValues(value)).toEqual([])
    const verdicts = [
      'select name from names',
      'select title from hr.teams',
      'select title from teams',
      'select name from public.customers',
      'select amount from sales.deals',
      'select k from parts',
    ].map(sql => [sql, database.guard(sql).verdict])
    expect(verdicts.filter(([, verdict]) => verdict !== 'allow')).toEqual([])
    const closed = [
      'select * from contacts',
      'select * from wages',
      'select name from copies',
      'select amount from salaries',
      'select amount from hr.salaries',
      'select amount from targets',
      'select amount from public.deals',
      'select ssn from deals',
      'select k from parts_1',
    ].map(sql => [sql, database.guard(sql).verdict])
    expect(closed.filter(([, verdict]) => verdict !== 'refuse')).toEqual([])

    const verdict = database.guard('select name from customers order by id')
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    const result = await database.run(verdict.guarded)
    expect(result.rows).toHaveLength(10)
    expect(result.truncated).toBe('rows')
  } finally {
    await opened.close()
  }
}, 60_000)
