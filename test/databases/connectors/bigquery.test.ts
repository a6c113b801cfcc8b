import { expect, it } from 'vitest'
import { makeBigqueryConnector } from '../../../src/databases/connectors/bigquery/connector.ts'
import { harborRows } from '../../contracts/connector/harbor.ts'
import { testConnector } from '../../contracts/connector.ts'
import { type BigqueryDouble, startBigquery } from '../../helpers/doubles/bigquery/start-bigquery.ts'
import { openConnectionsTo } from '../../helpers/open-connections.ts'

const harbor = `
  create table ports (id bigint primary key, name varchar not null, country varchar, opened date);
  create table ships (id bigint primary key, name varchar, home_port_id bigint references ports (id),
    tonnage decimal(38, 9), active boolean, launched timestamp);
  create table voyages (ship_id bigint references ships (id), number bigint, departed timestamp,
    primary key (ship_id, number));
  create table stops (id bigint primary key, ship_id bigint, voyage_number bigint,
    port_id bigint references ports (id), note varchar,
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as
    select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  ${harborRows}`

const numbers = (count: number): string =>
  count <= 1_000_000
    ? `select n from unnest(generate_array(1, ${count})) as n order by n`
    : `select a as n from unnest(generate_array(1, 100000)) as a, unnest(generate_array(1, 100000)) as b`

let double: BigqueryDouble

it('refuses credentials that the service does not know', async () => {
  const other = await startBigquery()
  const wrong = await startBigquery()
  const keyFile = new URL(other.url).searchParams.get('keyFile') ?? ''
  const url = new URL(wrong.url)
  url.searchParams.set('keyFile', keyFile)
  await expect(makeBigqueryConnector({ url: url.href, place: 'harbor' })).rejects.toMatchObject({
    code: 'database-unreachable',
  })
  await Promise.all([other.close(), wrong.close()])
})

testConnector({
  name: 'BigQuery (on a protocol double)',
  open: async () => {
    double = await startBigquery()
    await double.admin(harbor)
    return makeBigqueryConnector({ url: double.url, place: 'harbor', timeZone: 'UTC' })
  },
  cleanUp: () => double.close(),
  runningStatements: async () => double.jobs.running(),
  heldResources: async () => openConnectionsTo(double.port),
  declares: { keys: true, nullability: true, textType: 'string', joinedNames: null },
  typed: {
    sql: `select 2147483647 as whole, 9007199254740993 as larger, 2.5e0 as part, 1.5e300 as \`double\`,
      cast('12345678901234567.5' as numeric(38, 9)) as exact, cast('nan' as float64) as none, 'x\\'y' as words,
      date '2024-01-02' as day, datetime '2024-01-02 03:04:05.678' as moment,
      timestamp '2024-07-02 03:04:05.678901+02:00' as instant, time '03:04:05' as clock, from_hex('00ff') as raw,
      true as yes, [1, 9007199254740993] as list, struct(1 as n, 'x' as t) as pair, json '{"a":[1]}' as doc,
      null as absent`,
    columns: [
      { name: 'whole', kind: 'integer' },
      { name: 'larger', kind: 'integer' },
      { name: 'part', kind: 'number' },
      { name: 'double', kind: 'number' },
      { name: 'exact', kind: 'number' },
      { name: 'none', kind: 'number' },
      { name: 'words', kind: 'text' },
      { name: 'day', kind: 'date' },
      { name: 'moment', kind: 'timestamp' },
      { name: 'instant', kind: 'timestamp' },
      { name: 'clock', kind: 'time' },
      { name: 'raw', kind: 'blob' },
      { name: 'yes', kind: 'boolean' },
      { name: 'list', kind: 'json' },
      { name: 'pair', kind: 'json' },
      { name: 'doc', kind: 'json' },
      { name: 'absent', kind: 'integer' },
    ],
    row: [
      2147483647,
      9007199254740993n,
      2.5,
      1.5e300,
      '12345678901234567.5',
      'NaN',
      "x'y",
      '2024-01-02',
      '2024-01-02T03:04:05.678',
      '2024-07-02T01:04:05.678901+00:00',
      '03:04:05',
      new Uint8Array([0, 255]),
      true,
      '[1,9007199254740993]',
      '{"n":1,"t":"x"}',
      '{"a":[1]}',
      null,
    ],
  },
  roleCanWrite: null,
  runaway: `select count(*) from unnest(generate_array(1, 100000)) as a, unnest(generate_array(1, 100000)) as b,
    unnest(generate_array(1, 100000)) as c where a + b + c > 0`,
  numbers,
  texts: (length, count) => `select repeat('x', ${length}) from unnest(generate_array(1, ${count})) as n`,
  writes: [
    "insert into ports values (9, 'x', null, null)",
    'delete from ports where true',
    "update ports set name = 'x' where true",
    'truncate table stops',
    'create table loot (x int64)',
    'create table loot as select 1 as x',
    'create view loot as select 1 as x',
    'drop table stops',
    'alter table ports add column x int64',
    'merge ports using ships on false when matched then delete',
    "export data options (uri = 'gs://x/*') as select 1",
    "load data into ports from files (format = 'CSV', uris = ['gs://x'])",
    'begin transaction',
    'call loot()',
    'execute immediate "select 1"',
    'declare x int64',
    'grant `roles/bigquery.dataViewer` on table ports to "user:a@b.c"',
    'assert false',
  ],
  errors: [
    ['syntax', 'select * from'],
    ['syntax', "select 'open"],
    ['unknown-table', 'select * from docks'],
    ['unknown-table', 'select * from nowhere.docks'],
    ['unknown-column', 'select nope from ports'],
    ['ambiguous-column', 'select id from ports, ships'],
    ['ambiguous-column', 'select id, id from ports'],
    ['type-mismatch', "select date 'yesterday evening'"],
    ['type-mismatch', "select cast('x' as int64)"],
    ['function', 'select nope(1)'],
    ['function', 'select lower(1, 2, 3)'],
    ['aggregation', 'select name, count(*) from ports'],
    ['aggregation', 'select sum(sum(id)) from ports'],
    ['other', "select error('the test says so')"],
  ],
})
