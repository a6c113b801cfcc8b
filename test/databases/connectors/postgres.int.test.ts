import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Table } from '../../../src/core/catalog.ts'
import type { Connector } from '../../../src/core/connector.ts'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import { forgeGuardedSql, harbourRows, testConnector } from '../../contracts/connector.ts'
import { requireService } from '../../helpers/require-service.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'

const limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }
const runOn = (connector: Connector, sql: string) => connector.run(forgeGuardedSql(sql, 'postgres'), limits)

const asOwner = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const harbour = `
  create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer references ports,
    tonnage numeric(10, 2), active boolean, launched timestamp);
  create table voyages (ship_id integer references ships, number integer, departed timestamp,
    primary key (ship_id, number));
  create table stops (id integer primary key, ship_id integer, voyage_number integer,
    port_id integer references ports, note text,
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harbourRows}
`

const hasExternal = requireService('DATABASE_URL', 'the Postgres connector on an external server') !== null
const servers = hasExternal ? (['embedded', 'external'] as const) : (['embedded'] as const)

for (const on of servers) {
  let database: TestDatabase
  const countSessions = async (condition: string): Promise<number> =>
    asOwner(database.url, async client => {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and application_name = 'querent' and ${condition}`,
      )
      return rows[0]!.n
    })

  testConnector({
    name: `Postgres (${on})`,
    open: async () => {
      database = await createTestDatabase({ on })
      await asOwner(database.url, client => client.query(harbour))
      return makePostgresConnector({ url: database.url, place: 'harbour', timeZone: 'UTC' })
    },
    cleanUp: () => database.drop(),
    runningStatements: () => countSessions("state = 'active'"),
    heldResources: () => countSessions('true'),
    typed: {
      sql: `select 1::int2 as small, 2147483647 as whole, 9007199254740991 as large, 9007199254740993 as larger,
        2.50::numeric as part, 3.00::numeric(10, 2) as round, 12345678901234567.5::numeric as exact,
        12345678901234567890::numeric as huge, 0.1::float4 as single, 1.5e300::float8 as double, 'NaN'::float8 as nan,
        '-Infinity'::float8 as endless, true as yes, 'x' as words, 'y'::varchar(3) as few, 'z'::char(2) as padded,
        date '2024-01-02' as day, timestamp '2024-01-02 03:04:05.678' as moment,
        timestamptz '2024-01-02 03:04:05+05:30' as instant, time '03:04:05' as clock, timetz '03:04:05+02' as zoned,
        date 'infinity' as never, '\\x00ff'::bytea as bytes, '{"a": 1}'::jsonb as document, array[1, 2] as list,
        interval '1 day 2 hours' as span, '7d3c8a52-5d5e-4b8a-9c3b-0d9f5b0f6a11'::uuid as key, null as absent`,
      columns: [
        { name: 'small', kind: 'integer' },
        { name: 'whole', kind: 'integer' },
        { name: 'large', kind: 'integer' },
        { name: 'larger', kind: 'integer' },
        { name: 'part', kind: 'number' },
        { name: 'round', kind: 'number' },
        { name: 'exact', kind: 'number' },
        { name: 'huge', kind: 'number' },
        { name: 'single', kind: 'number' },
        { name: 'double', kind: 'number' },
        { name: 'nan', kind: 'number' },
        { name: 'endless', kind: 'number' },
        { name: 'yes', kind: 'boolean' },
        { name: 'words', kind: 'text' },
        { name: 'few', kind: 'text' },
        { name: 'padded', kind: 'text' },
        { name: 'day', kind: 'date' },
        { name: 'moment', kind: 'timestamp' },
        { name: 'instant', kind: 'timestamp' },
        { name: 'clock', kind: 'time' },
        { name: 'zoned', kind: 'time' },
        { name: 'never', kind: 'date' },
        { name: 'bytes', kind: 'blob' },
        { name: 'document', kind: 'json' },
        { name: 'list', kind: 'unknown' },
        { name: 'span', kind: 'text' },
        { name: 'key', kind: 'text' },
        { name: 'absent', kind: 'text' },
      ],
      row: [
        1,
        2147483647,
        9007199254740991,
        9007199254740993n,
        2.5,
        3,
        '12345678901234567.5',
        12345678901234567890n,
        0.1,
        1.5e300,
        'NaN',
        '-Infinity',
        true,
        'x',
        'y',
        'z ',
        '2024-01-02',
        '2024-01-02T03:04:05.678',
        '2024-01-01T21:34:05+00:00',
        '03:04:05',
        '03:04:05+02:00',
        'infinity',
        new Uint8Array([0, 255]),
        '{"a": 1}',
        '{1,2}',
        '1 day 02:00:00',
        '7d3c8a52-5d5e-4b8a-9c3b-0d9f5b0f6a11',
        null,
      ],
    },
    roleCanWrite: true,
    runaway: 'select count(*) from generate_series(1, 200000) a, generate_series(1, 200000) b',
    numbers: count => `select n::int from generate_series(1, ${count}) n`,
    texts: (length, count) => `select repeat('x', ${length}) from generate_series(1, ${count})`,
    writes: [
      "insert into ports (id, name) values (9, 'x')",
      "update ports set name = 'x'",
      'delete from ports',
      "insert into ports (id, name) values (9, 'x') returning id",
      'with gone as (delete from stops returning *) select * from gone',
      'truncate stops',
      'create table loot (x integer)',
      'create table loot as select 1',
      'select * into loot from ports',
      'drop table stops',
      'alter table ports add column x integer',
      'grant select on ports to public',
      "comment on table ports is 'x'",
      'select * from ports for update',
      'create function f() returns integer language sql as $$ select 1 $$',
      "select set_config('transaction_read_only', 'off', true)",
      'commit',
      'set transaction read write',
      "copy ports to program 'true'",
      'vacuum',
      'lock table ports in exclusive mode',
    ],
    errors: [
      ['syntax', 'selec 1'],
      ['syntax', 'select * from'],
      ['syntax', "select 'open"],
      ['syntax', 'select 1 union select 1, 2'],
      ['syntax', 'select name from ports order by 4'],
      ['syntax', 'select $1'],
      ['unknown-table', 'select * from docks'],
      ['unknown-table', 'select * from nowhere.docks'],
      ['unknown-table', 'select p.name from ports q'],
      ['unknown-column', 'select nope from ports'],
      ['unknown-column', 'select p.nope from ports p'],
      ['ambiguous-column', 'select id from ports, ships'],
      ['type-mismatch', "select 1 + 'x'"],
      ['type-mismatch', 'select * from ports where name = 1'],
      ['type-mismatch', "select date 'yesterday evening'"],
      ['function', 'select nope(1)'],
      ['function', 'select lower(1, 2, 3)'],
      ['aggregation', 'select name, count(*) from ports'],
      ['aggregation', 'select sum(sum(id)) from ports'],
      ['aggregation', 'select rank() over () from ports where rank() over () > 1'],
      ['permission', 'select * from ports for update'],
      ['other', 'select 1 / 0'],
    ],
  })
}

describe('a Postgres connection', () => {
  let database: TestDatabase
  let connector: Connector
  beforeAll(async () => {
    database = await createTestDatabase()
    connector = await makePostgresConnector({ url: database.url, place: 'test', connections: 1 })
  })
  afterAll(async () => {
    await connector.close()
    await database.drop()
  })

  const pid = async (): Promise<unknown> => (await runOn(connector, 'select pg_backend_pid()')).rows[0]?.[0]
  const failure = (sql: string, options: object = {}) =>
    connector.run(forgeGuardedSql(sql, 'postgres'), { ...limits, ...options }).then(
      () => expect.fail('it ran'),
      error => error,
    )

  it('is used again after an error and after a timeout on the server', async () => {
    const before = await pid()
    await failure('select nope')
    expect(await failure('select pg_sleep(60)', { timeoutMs: 200 })).toMatchObject({
      errorClass: 'timeout',
      driverCode: '57014',
    })
    expect(await pid()).toBe(before)
  })

  it('is thrown away after a cancel', async () => {
    const before = await pid()
    expect(await failure('select pg_sleep(60)', { signal: AbortSignal.timeout(200) })).toMatchObject({
      errorClass: 'cancelled',
    })
    expect(await pid()).not.toBe(before)
  })

  it('is replaced when the server ends it', async () => {
    expect(await failure('select pg_terminate_backend(pg_backend_pid())')).toMatchObject({
      errorClass: 'connection',
      driverCode: '57P01',
    })
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('is replaced when the server ended it between two statements', async () => {
    const idle = await pid()
    await asOwner(database.url, client => client.query('select pg_terminate_backend($1)', [idle]))
    await new Promise(resolve => setTimeout(resolve, 200))
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('tells a cancel by somebody else from a timeout', async () => {
    const sleeping = failure('select pg_sleep(60)')
    await asOwner(database.url, async client => {
      const victims = () =>
        client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`,
        )
      while ((await victims()).rowCount === 0) await new Promise(resolve => setTimeout(resolve, 20))
    })
    expect(await sleeping).toMatchObject({ errorClass: 'cancelled', driverCode: '57014' })
  })

  it('keeps no setting that a statement made', async () => {
    await runOn(connector, "select set_config('statement_timeout', '1', false)")
    await runOn(connector, "select set_config('search_path', 'nowhere', false)")
    await asOwner(database.url, client => client.query('create table kept (x integer)'))
    expect((await runOn(connector, 'select x from kept')).rows).toEqual([])
    expect((await runOn(connector, 'show statement_timeout')).rows).toEqual([['20s']])
  })

  it('reads backslashes in strings as the standard says, whatever the database is set to', async () => {
    await asOwner(database.url, client =>
      client.query(
        `do $$ begin execute format('alter database %I set standard_conforming_strings = off', current_database()); end $$`,
      ),
    ).catch(error =>
      expect(error.code, 'servers without the setting are right anyway').toMatch(/^(22023|42704|0A000)$/),
    )
    const fresh = await makePostgresConnector({ url: database.url, place: 'test' })
    expect((await runOn(fresh, String.raw`select 'a\'`)).rows).toEqual([['a\\']])
    await fresh.close()
  })

  it('cuts off a value that is far larger than any result may be', async () => {
    const tooLarge = { maxBytes: 1000 }
    expect(await failure("select repeat('x', 100000000)", tooLarge)).toMatchObject({ errorClass: 'other' })
    const result = await connector.run(
      forgeGuardedSql(
        "select case when n <= 300 then 'x' else repeat('x', 100000000) end from generate_series(1, 1000) n",
        'postgres',
      ),
      { ...limits, ...tooLarge },
    )
    expect(result.truncated).toBe('bytes')
    expect(result.rows.length).toBeGreaterThan(0)
    expect(result.rows.every(row => row[0] === 'x')).toBe(true)
    expect((await runOn(connector, 'select 1')).rows).toEqual([[1]])
  })

  it('executes nothing that is not a query, not even what reads only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-copy-'))
    chmodSync(folder, 0o777)
    const sql = `copy (select 1) to program 'cat > ${folder}/executed'`
    expect(await failure(sql)).toMatchObject({ errorClass: 'permission' })
    expect(readdirSync(folder)).toEqual([])
    await asOwner(database.url, client => client.query(sql))
    expect(readdirSync(folder)).toEqual(['executed'])
    rmSync(folder, { recursive: true })
  })

  it('shows instants and cuts days in the time zone that was given', async () => {
    const tokyo = await makePostgresConnector({ url: database.url, place: 'test', timeZone: 'Asia/Tokyo' })
    const sql = "select timestamptz '2024-01-01 20:00:00+00', (timestamptz '2024-01-01 20:00:00+00')::date"
    expect((await runOn(tokyo, sql)).rows).toEqual([['2024-01-02T05:00:00+09:00', '2024-01-02']])
    await tokyo.close()
  })
})

describe('a Postgres catalog', () => {
  let database: TestDatabase
  let connector: Connector
  let catalog: Catalog
  const role = `querent_reader_${randomBytes(4).toString('hex')}`
  const find = (name: string, schema: string | null = null): Table | undefined =>
    catalog.tables.find(table => table.name === name && table.schema === schema)

  beforeAll(async () => {
    database = await createTestDatabase()
    await asOwner(database.url, async client => {
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
    await asOwner(database.url, client => client.query(`drop owned by ${role}; drop role ${role}`))
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
    await asOwner(database.url, client =>
      client.query(`insert into log values ('2025-05-05', 1, 1); comment on table log is 'Entries'`),
    )
    expect((await connector.introspect()).fingerprint).toBe(catalog.fingerprint)
    await asOwner(database.url, client => client.query('alter table sales.orders add column paid boolean'))
    expect((await connector.introspect()).fingerprint).not.toBe(catalog.fingerprint)
  })
})
