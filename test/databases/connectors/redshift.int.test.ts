import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRedshiftConnector } from '../../../src/databases/connectors/redshift/connector.ts'
import { harborRows } from '../../contracts/connector/harbor.ts'
import { testConnector } from '../../contracts/connector.ts'
import { type RedshiftDouble, startRedshift } from '../../helpers/doubles/redshift/start-redshift.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'

const harbor = `
  create table ports (id integer primary key, name varchar(256) not null, country varchar(256), opened date);
  create table ships (id integer primary key, name varchar(256) not null, home_port_id integer references ports,
    tonnage numeric(10, 2), active boolean, launched timestamp);
  create table voyages (ship_id integer references ships, number integer, departed timestamp,
    primary key (ship_id, number));
  create table stops (id integer primary key, ship_id integer, voyage_number integer,
    port_id integer references ports, note varchar(256),
    foreign key (ship_id, voyage_number) references voyages (ship_id, number));
  create view busy_ports as select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1;
  create table digits (n bigint);
  insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
  comment on table ports is 'Where ships stay';
  ${harborRows}
`

/** As many digits as it takes, one table each: Redshift has no generate_series. */
const numbers = (count: number): string => {
  const places = Array.from({ length: Math.max(1, Math.ceil(Math.log10(count))) }, (_, place) => place)
  const sum = places.map(place => `${10 ** place} * d${place}.n`).join(' + ')
  const from = places.map(place => `digits d${place}`).join(', ')
  const all = `select ${sum} + 1 as n from ${from}`
  return count > 1_000_000 ? all : `select n from (${all}) as every_number where n <= ${count} order by n`
}

let database: TestDatabase
let double: RedshiftDouble

const countSessions = async (condition: string): Promise<number> =>
  withClient(database.url, async client => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and application_name = 'querent' and ${condition}`,
    )
    return rows[0]!.n
  })

testConnector({
  name: 'Redshift (protocol double over Postgres)',
  open: async () => {
    database = await createTestDatabase()
    await withClient(database.url, client => client.query(harbor))
    double = await startRedshift(database.url)
    return makeRedshiftConnector({ url: double.url, place: 'harbor', timeZone: 'UTC' })
  },
  cleanUp: async () => {
    expect(double.surprises).toEqual([])
    await double[Symbol.asyncDispose]()
    await database.drop()
  },
  runningStatements: () => countSessions("state = 'active'"),
  heldResources: () => countSessions('true'),
  declares: { keys: true, nullability: true, textType: 'character varying(256)' },
  typed: {
    sql: `select 1::smallint as small, 2147483647 as whole, 9007199254740991 as large, 9007199254740993 as larger,
      2.50::numeric(10, 2) as part, 12345678901234567.5::numeric(38, 1) as exact, 0.1::real as single,
      1.5e300::double precision as double, true as yes, 'x'::varchar(3) as words, 'z'::char(2) as padded,
      date '2024-01-02' as day, timestamp '2024-01-02 03:04:05.678' as moment,
      timestamptz '2024-01-02 03:04:05+05:30' as instant, time '03:04:05' as clock, timetz '03:04:05+02' as zoned,
      json_parse('{"a": [1]}') as document, st_geomfromtext('POINT (1 2)') as place, to_varbyte('00ff', 'hex') as bytes,
      'a\\\\b' as escaped, interval '1 day 2 hours' as span, null as absent`,
    columns: [
      { name: 'small', kind: 'integer' },
      { name: 'whole', kind: 'integer' },
      { name: 'large', kind: 'integer' },
      { name: 'larger', kind: 'integer' },
      { name: 'part', kind: 'number' },
      { name: 'exact', kind: 'number' },
      { name: 'single', kind: 'number' },
      { name: 'double', kind: 'number' },
      { name: 'yes', kind: 'boolean' },
      { name: 'words', kind: 'text' },
      { name: 'padded', kind: 'text' },
      { name: 'day', kind: 'date' },
      { name: 'moment', kind: 'timestamp' },
      { name: 'instant', kind: 'timestamp' },
      { name: 'clock', kind: 'time' },
      { name: 'zoned', kind: 'time' },
      { name: 'document', kind: 'json' },
      { name: 'place', kind: 'unknown' },
      { name: 'bytes', kind: 'blob' },
      { name: 'escaped', kind: 'text' },
      { name: 'span', kind: 'text' },
      { name: 'absent', kind: 'text' },
    ],
    row: [
      1,
      2147483647,
      9007199254740991,
      9007199254740993n,
      2.5,
      '12345678901234567.5',
      0.1,
      1.5e300,
      true,
      'x',
      'z ',
      '2024-01-02',
      '2024-01-02T03:04:05.678',
      '2024-01-01T21:34:05+00:00',
      '03:04:05',
      '03:04:05+02:00',
      '{"a":[1]}',
      '0101000000000000000000F03F0000000000000040',
      new Uint8Array([0, 255]),
      'a\\b',
      '1 day 02:00:00',
      null,
    ],
  },
  roleCanWrite: true,
  runaway: `select count(*) from ${Array.from({ length: 12 }, (_, at) => `digits r${at}`).join(', ')}`,
  numbers,
  texts: (length, count) => `select repeat('x', ${length}) from (${numbers(count)}) as t`,
  writes: [
    "insert into ports (id, name) values (9, 'x')",
    "update ports set name = 'x'",
    'delete from ports',
    'truncate stops',
    'create table loot (x integer)',
    'create table loot as select 1 as x',
    'select * into loot from ports',
    'drop table stops',
    'alter table ports add column x integer',
    'grant select on ports to public',
    "comment on table ports is 'x'",
    'select * from ports for update',
    "unload ('select * from ports') to 's3://bucket/x' iam_role default",
    "copy ports from 's3://bucket/x' iam_role default",
    'call loot()',
    "create model loot from ports target name function f iam_role default settings (s3_bucket 'b')",
    'create external schema loot from data catalog database d',
    'merge into ports using ships on ports.id = ships.id when matched then delete',
    'cancel 1',
    'commit',
    'set transaction read write',
    "set query_group to 'x'",
    'vacuum',
    'analyze ports',
    'lock table ports',
    'show statement_timeout',
  ],
  errors: [
    ['syntax', 'select * from'],
    ['syntax', 'select 1 union select 1, 2'],
    ['syntax', 'select name from ports order by 4'],
    ['syntax', 'select count(*) filter (where id > 1) from ports'],
    ['syntax', 'select * from ports fetch first 1 rows only'],
    ['syntax', 'select 1 where 1 is distinct from 2'],
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
    ['function', "select string_agg(name, ',') from ports"],
    ['function', 'select lower(1, 2, 3)'],
    ['aggregation', 'select name, count(*) from ports'],
    ['aggregation', 'select sum(sum(id)) from ports'],
    ['other', 'select 1 / 0'],
  ],
})

describe('Redshift (protocol double)', () => {
  let own: TestDatabase
  let redshift: RedshiftDouble
  beforeAll(async () => {
    own = await createTestDatabase()
    await withClient(own.url, client => client.query(harbor))
    redshift = await startRedshift(own.url)
  })
  afterAll(async () => {
    await redshift[Symbol.asyncDispose]()
    await own.drop()
  })

  it('checks the password and the database, and says what is wrong', async () => {
    const open = (url: string) => makeRedshiftConnector({ url, place: 'harbor' })
    await expect(open(redshift.url.replace('reader:', 'reader:x'))).rejects.toThrow(
      'Check user and password.',
    )
    await expect(open(redshift.url.replace('/dev', '/nope'))).rejects.toThrow('check its name')
    await expect(open(redshift.url.replace('reader:', 'hashed:'))).rejects.toThrow('stored as SHA-256')
  })

  it('does not speak to a server that cannot encrypt unless told to', async () => {
    const url = redshift.url.replace('?tls=false', '')
    await expect(makeRedshiftConnector({ url, place: 'harbor' })).rejects.toThrow('Cannot connect to harbor')
    expect(redshift.surprises.splice(0)).toHaveLength(1)
  })

  it('reads comments, sizes, views and what external tables declare', async () => {
    await withClient(own.url, client => client.query('analyze'))
    const connector = await makeRedshiftConnector({ url: redshift.url, place: 'harbor' })
    const { tables } = await connector.introspect()
    await connector.close()
    expect(tables.find(({ name }) => name === 'ports')).toMatchObject({
      comment: 'Where ships stay',
      rowCount: 3,
    })
    expect(tables.find(({ name }) => name === 'busy_ports')?.definition).toMatch(/^\s*SELECT/i)
    expect(tables.find(({ name }) => name === 'ships')?.columns.map(({ type }) => type)).toContain(
      'numeric(10,2)',
    )
  })
})
