import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { makeTrinoConnector } from '../../../src/databases/connectors/trino/connector.ts'
import { testConnector } from '../../contracts/connector.ts'
import { openConnectionsTo } from '../../helpers/open-connections.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { askTrino } from '../../helpers/services/trino.ts'

const clusterUrl = requireService('TRINO_URL', 'the Trino connector')

const schema = `querent_${randomBytes(6).toString('hex')}`

const place = { catalog: 'memory', schema }

/** The memory catalog has no keys, and no columns that must be filled. */
const harbor = [
  'create table ports (id integer, name varchar, country varchar, opened date)',
  `create table ships (id integer, name varchar, home_port_id integer, tonnage decimal(10, 2), active boolean,
    launched timestamp(3))`,
  'create table voyages (ship_id integer, number integer, departed timestamp(3))',
  'create table stops (id integer, ship_id integer, voyage_number integer, port_id integer, note varchar)',
  `create view busy_ports as
    select p.name as port, count(*) as stops from ports p join stops s on s.port_id = p.id group by 1`,
  `insert into ports values (1, 'Ålesund', 'Norway', date '1848-01-01'), (2, 'Bilbao', null, null),
    (3, '長崎', 'Japan', date '1571-06-01')`,
  `insert into ships values (1, 'Gull', 1, 1200.50, true, timestamp '2001-05-06 10:00:00'),
    (2, 'Heron', 2, null, null, null)`,
  `insert into voyages values (1, 1, timestamp '2024-01-01 06:00:00'), (1, 2, timestamp '2024-02-01 06:00:00'),
    (2, 1, null)`,
  "insert into stops values (1, 1, 1, 3, 'it''s 100 %'), (2, 1, 2, 3, ''), (3, 2, 1, 1, null)",
]

const numbers = (count: number): string =>
  count <= 10_000
    ? `select n from unnest(sequence(1, ${count})) t (n)`
    : `select (a - 1) * 10000 + b as n from unnest(sequence(1, ${Math.ceil(count / 10_000)})) x (a)
       cross join unnest(sequence(1, 10000)) y (b) where (a - 1) * 10000 + b <= ${count}`

describe.skipIf(clusterUrl === null)('the connector of a cluster', () => {
  const url = clusterUrl ?? ''
  const admin = (sql: string) => askTrino(url, sql, place)
  /** Other suites ask the same cluster meanwhile, as other users. */
  const urlOfUser = url.replace('://', `://${schema}@`)

  testConnector({
    name: 'Trino',
    open: async () => {
      await admin(`create schema memory.${schema}`)
      for (const sql of harbor) await admin(sql)
      return makeTrinoConnector({ url: `${urlOfUser}/memory/${schema}`, place: 'harbor', timeZone: 'UTC' })
    },
    cleanUp: async () => {
      await admin('drop view busy_ports')
      for (const table of ['ports', 'ships', 'voyages', 'stops']) await admin(`drop table ${table}`)
      await admin(`drop schema memory.${schema}`)
    },
    runningStatements: async () => {
      const [row] = await admin(
        `select count(*) from system.runtime.queries where "user" = '${schema}' and query not like 'ROLLBACK%'
           and query not like 'START%' and state not in ('FINISHED', 'FAILED')`,
      )
      return Number(row?.[0])
    },
    heldResources: async () => openConnectionsTo(Number(new URL(url).port)),
    declares: { keys: false, nullability: false, textType: 'varchar' },
    typed: {
      sql: `select cast(1 as tinyint) as small, 2147483647 as whole, 9007199254740991 as large,
        9007199254740993 as larger, decimal '18446744073709551615' as largest, 2.50 as part,
        cast(3 as decimal(10, 2)) as round, decimal '12345678901234567.5' as exact, real '0.1' as single,
        1.5e300 as "double", nan() as "none", 'x' as words, cast('y' as char(3)) as few, date '2024-01-02' as day,
        timestamp '2024-01-02 03:04:05.678' as moment, timestamp '2024-01-02 03:04:05.678901' as micro,
        timestamp '2024-07-02 03:04:05 Europe/Oslo' as instant, time '03:04:05' as clock, x'00ff' as bytes,
        true as yes, array[1, 9007199254740993] as list, map(array['a'], array[array[2.50]]) as map,
        cast(row(1, 'x') as row(n integer, t varchar)) as "row", json '{"a":[1]}' as json,
        uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59' as id, ipaddress '10.0.0.1' as ip, interval '2' day as span,
        null as absent`,
      columns: [
        { name: 'small', kind: 'integer' },
        { name: 'whole', kind: 'integer' },
        { name: 'large', kind: 'integer' },
        { name: 'larger', kind: 'integer' },
        { name: 'largest', kind: 'integer' },
        { name: 'part', kind: 'number' },
        { name: 'round', kind: 'number' },
        { name: 'exact', kind: 'number' },
        { name: 'single', kind: 'number' },
        { name: 'double', kind: 'number' },
        { name: 'none', kind: 'number' },
        { name: 'words', kind: 'text' },
        { name: 'few', kind: 'text' },
        { name: 'day', kind: 'date' },
        { name: 'moment', kind: 'timestamp' },
        { name: 'micro', kind: 'timestamp' },
        { name: 'instant', kind: 'timestamp' },
        { name: 'clock', kind: 'time' },
        { name: 'bytes', kind: 'blob' },
        { name: 'yes', kind: 'boolean' },
        { name: 'list', kind: 'json' },
        { name: 'map', kind: 'json' },
        { name: 'row', kind: 'json' },
        { name: 'json', kind: 'json' },
        { name: 'id', kind: 'text' },
        { name: 'ip', kind: 'text' },
        { name: 'span', kind: 'text' },
        { name: 'absent', kind: 'text' },
      ],
      row: [
        1,
        2147483647,
        9007199254740991,
        9007199254740993n,
        18446744073709551615n,
        2.5,
        3,
        '12345678901234567.5',
        0.1,
        1.5e300,
        'NaN',
        'x',
        'y  ',
        '2024-01-02',
        '2024-01-02T03:04:05.678',
        '2024-01-02T03:04:05.678901',
        '2024-07-02T03:04:05+02:00',
        '03:04:05',
        new Uint8Array([0, 255]),
        true,
        '[1,9007199254740993]',
        '{"a":[2.5]}',
        '{"n":1,"t":"x"}',
        '{"a":[1]}',
        '12151fd2-7586-11e9-8f9e-2a86e4085a59',
        '10.0.0.1',
        '2 00:00:00.000',
        null,
      ],
    },
    roleCanWrite: null,
    runaway: `select count(*) from (${numbers(10_000)}) a, (${numbers(10_000)}) b, (${numbers(10_000)}) c
      where a.n + b.n + c.n > 0`,
    numbers: count =>
      count > 100_000_000
        ? `select a.n from (${numbers(10_000)}) a, (${numbers(10_000)}) b, (${numbers(10_000)}) c`
        : `select n from (${numbers(count)}) order by n`,
    texts: (length, count) => `select rpad('', ${length}, 'x') from (${numbers(count)}) t`,
    writes: [
      "insert into ports values (9, 'x', null, null)",
      'delete from ports',
      "update ports set name = 'x'",
      'truncate table stops',
      'create table loot (x integer)',
      'create table loot as select 1 as x',
      'create or replace view loot as select 1 as x',
      'create schema memory.loot',
      'drop table stops',
      'drop view busy_ports',
      'alter table ports add column x integer',
      'alter table ports rename to harbors',
      "comment on table ports is 'x'",
      'analyze ports',
      'explain analyze insert into stops select * from stops',
      "call system.runtime.kill_query(query_id => 'x', message => 'x')",
      "set session query_max_run_time = '1d'",
      'set role all',
      'reset session query_max_run_time',
      'start transaction',
      'commit',
      'rollback',
      'prepare loot from select 1',
      'grant select on ports to nobody',
      'create role loot',
      'use tpch.sf1',
      'show catalogs',
    ],
    errors: [
      ['syntax', 'select * from'],
      ['syntax', "select 'open"],
      ['syntax', 'select id from ports order by 4'],
      ['unknown-table', 'select * from docks'],
      ['unknown-table', 'select * from nowhere.docks'],
      ['unknown-table', 'select * from nowhere.nowhere.docks'],
      ['unknown-column', 'select nope from ports'],
      ['unknown-column', 'select p.nope from ports p'],
      ['ambiguous-column', 'select id from ports, ships'],
      ['type-mismatch', "select date 'yesterday evening'"],
      ['type-mismatch', 'select 1 union select 1, 2'],
      ['type-mismatch', "select cast('x' as integer)"],
      ['type-mismatch', "select 1 + 'x'"],
      ['function', 'select nope(1)'],
      ['function', 'select lower(1, 2, 3)'],
      ['aggregation', 'select name, count(*) from ports'],
      ['aggregation', 'select sum(sum(id)) from ports'],
      ['other', 'select 1 / 0'],
    ],
  })
})
