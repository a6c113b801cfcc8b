import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import { harborRows } from '../../contracts/connector/harbor.ts'
import { testConnector } from '../../contracts/connector.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'

const harbor = `
  create table ports (id integer primary key, name text not null, country text, opened date);
  create table ships (id integer primary key, name text not null, home_port_id integer references ports,
    tonnage numeric(10, 2), active boolean, launched timestamp);
  create table voyages (ship_id integer references ships, number integer, departed timestamp,
    primary key (ship_id, number));
  create table stops (id integer primary key, ship_id integer, voyage_number integer,
    port_id integer references ports, note text,
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harborRows}
`

for (const on of postgresServers('the Postgres connector')) {
  let database: TestDatabase
  const countSessions = async (condition: string): Promise<number> =>
    withClient(database.url, async client => {
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
      await withClient(database.url, client => client.query(harbor))
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
