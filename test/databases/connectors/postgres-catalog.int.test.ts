import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import type { Catalog, Table } from '../../../src/domain/catalog.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'

describe('a Postgres catalog', () => {
  let database: TestDatabase
  let connector: Connector
  let catalog: Catalog
  const role = `querent_reader_${randomBytes(4).toString('hex')}`
  const find = (name: string, schema: string | null = null): Table | undefined =>
    catalog.tables.find(table => table.name === name && table.schema === schema)

  beforeAll(async () => {
    database = await createTestDatabase()
    await withClient(database.url, async client => {
      await client.query(`
        create role ${role} login password 'let me read';
        create schema sales; create schema closed; create schema querent; create schema pgboss;
        create type mood as enum ('calm', 'rough');
        create domain tonnes as numeric(8, 1) check (value > 0);
        create domain cargo_tonnes as tonnes;
        create table ships (id bigint generated always as identity primary key, name text not null,
          load cargo_tonnes, sea mood, tags text[], secret text, built timestamptz, noted jsonb);
        comment on table ships is 'Everything that floats';
        comment on column ships.load is 'At departure';
        create table sales.orders (id integer primary key, ship_id bigint references ships (id));
        create table sales.ships (id integer primary key, other integer references sales.ships (id));
        create table sales.hidden (id integer);
        create table closed.ledger (id integer);
        create table querent.questions (id integer);
        create table pgboss.job (id integer);
        create view fleet as select name from ships;
        create materialized view loads as select name, load from ships;
        comment on materialized view loads is 'Refreshed at night';
        create table log (at date not null, id integer, ship_id bigint references ships (id), primary key (at, id))
          partition by range (at);
        create table log_2024 partition of log for values from ('2024-01-01') to ('2025-01-01');
        create table log_2025 partition of log for values from ('2025-01-01') to ('2026-01-01');
        insert into ships (name) select 'ship ' || n from generate_series(1, 500) n;
        insert into log select date '2024-01-01' + n, n from generate_series(1, 400) n;
        analyze;
        grant usage on schema sales, querent, pgboss to ${role};
        grant select (id, name, load, sea, tags, built, noted) on ships to ${role};
        grant select on sales.orders, sales.ships, fleet, loads, log, closed.ledger, querent.questions, pgboss.job to ${role};
      `)
    })
    const url = new URL(database.url)
    url.username = role
    url.password = encodeURIComponent('let me read')
    connector = await makePostgresConnector({ url: url.href, place: 'test' })
    catalog = await connector.introspect()
  })
  afterAll(async () => {
    await connector.close()
    await withClient(database.url, client => client.query(`drop owned by ${role}; drop role ${role}`))
    await database.drop()
  })

  it('lists what the role may read, and nothing of ours', () => {
    expect(catalog.tables.map(table => [table.schema, table.name, table.type])).toEqual([
      [null, 'fleet', 'view'],
      [null, 'loads', 'view'],
      [null, 'log', 'table'],
      [null, 'ships', 'table'],
      ['sales', 'orders', 'table'],
      ['sales', 'ships', 'table'],
    ])
  })

  it('leaves out columns that the role may not read', () => {
    expect(find('ships')?.columns.map(column => column.name)).toEqual([
      'id',
      'name',
      'load',
      'sea',
      'tags',
      'built',
      'noted',
    ])
  })

  it('gives declared types in the server’s words, and kinds through domains and enums', () => {
    expect(find('ships')?.columns.map(column => [column.type, column.kind, column.nullable])).toEqual([
      ['bigint', 'integer', false],
      ['text', 'text', false],
      ['cargo_tonnes', 'number', true],
      ['mood', 'text', true],
      ['text[]', 'unknown', true],
      ['timestamp with time zone', 'timestamp', true],
      ['jsonb', 'json', true],
    ])
  })

  it('gives comments', () => {
    expect(find('ships')?.comment).toBe('Everything that floats')
    expect(find('loads')?.comment).toBe('Refreshed at night')
    expect(
      find('ships')
        ?.columns.map(column => column.comment)
        .filter(Boolean),
    ).toEqual(['At departure'])
  })

  it('gives the server’s estimate of rows, of a partitioned table that of its parts', () => {
    expect(find('ships')?.rowCount).toBe(500)
    expect(find('log')?.rowCount).toBe(400)
    expect(find('fleet')?.rowCount).toBeNull()
    expect(find('orders', 'sales')?.rowCount).toBeNull()
  })

  it('names a table in a key plainly, unless another would be found by that name', () => {
    expect(catalog.foreignKeys.map(key => [key.from.table, key.to.table])).toEqual(
      expect.arrayContaining([
        ['orders', 'ships'],
        ['sales.ships', 'sales.ships'],
        ['log', 'ships'],
      ]),
    )
    expect(catalog.foreignKeys.length).toBe(3)
    expect(find('log')?.primaryKey).toEqual(['at', 'id'])
  })

  it('lets tables of other schemas be read by their plain names', async () => {
    expect((await runOn(connector, 'select count(*) from orders')).rows).toEqual([[0]])
    expect((await runOn(connector, 'select count(*) from sales.ships')).rows).toEqual([[0]])
    expect((await runOn(connector, 'select count(id) from ships')).rows).toEqual([[500]])
  })

  it('refuses what the role may not read', async () => {
    const secret = runOn(connector, 'select secret from ships')
    await expect(secret).rejects.toMatchObject({ errorClass: 'permission', driverCode: '42501' })
    const ledger = runOn(connector, 'select * from closed.ledger')
    await expect(ledger).rejects.toMatchObject({ errorClass: 'permission', driverCode: '42501' })
  })

  it('changes its fingerprint with a column, and not with rows or comments', async () => {
    await withClient(database.url, client =>
      client.query(`insert into log values ('2025-05-05', 1, 1); comment on table log is 'Entries'`),
    )
    expect((await connector.introspect()).fingerprint).toBe(catalog.fingerprint)
    await withClient(database.url, client => client.query('alter table sales.orders add column paid boolean'))
    expect((await connector.introspect()).fingerprint).not.toBe(catalog.fingerprint)
  })
})
