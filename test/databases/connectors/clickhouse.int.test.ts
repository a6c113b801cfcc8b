import { randomBytes, randomInt } from 'node:crypto'
import { describe } from 'vitest'
import { makeClickhouseConnector } from '../../../src/databases/connectors/clickhouse/connector.ts'
import { testConnector } from '../../contracts/connector.ts'
import { openConnectionsTo } from '../../helpers/open-connections.ts'
import { askClickhouse } from '../../helpers/services/clickhouse.ts'
import { requireService } from '../../helpers/services/require-service.ts'

const serverUrl = requireService('CLICKHOUSE_URL', 'the ClickHouse connector')

const database = `querent_${randomBytes(6).toString('hex')}`

const harbor = [
  'create table ports (id Int32, name String, country Nullable(String), opened Nullable(Date)) engine = Memory',
  `create table ships (id Int32, name String, home_port_id Nullable(Int32), tonnage Nullable(Decimal(10, 2)),
    active Nullable(UInt8), launched Nullable(DateTime)) engine = MergeTree order by id`,
  'create table voyages (ship_id Int32, number Int32, departed Nullable(DateTime)) engine = Memory',
  `create table stops (id Int32, ship_id Int32, voyage_number Int32, port_id Int32, note Nullable(String))
    engine = Memory`,
  // This version crashes over functions of what an outer join gives.
  `create view busy_ports as
    select name as port, count() as stops from stops any inner join ports on port_id = ports.id group by name`,
  // A Date of this server begins in 1970.
  `insert into ports values (1, 'Ålesund', 'Norway', '1978-01-01'), (2, 'Bilbao', null, null),
    (3, '長崎', 'Japan', '1971-06-01')`,
  `insert into ships values (1, 'Gull', 1, 1200.50, 1, '2001-05-06 10:00:00'), (2, 'Heron', 2, null, null, null)`,
  `insert into voyages values (1, 1, '2024-01-01 06:00:00'), (1, 2, '2024-02-01 06:00:00'), (2, 1, null)`,
  "insert into stops values (1, 1, 1, 3, 'it\\'s 100 %'), (2, 1, 2, 3, ''), (3, 2, 1, 1, null)",
]

/** Tells this suite's statements from those of others that run on the server. */
const mark = randomInt(1, 2 ** 31)

const numbers = (count: number): string => `select number + 1 as n from numbers(${count}) order by n`

describe.skipIf(serverUrl === null)('the connector of a server', () => {
  const url = serverUrl ?? ''
  const admin = (sql: string) => askClickhouse(url, sql, database)

  testConnector({
    name: 'ClickHouse',
    open: async () => {
      await askClickhouse(url, `create database ${database}`, 'default')
      for (const sql of harbor) await admin(sql)
      return makeClickhouseConnector({ url: `${url}/${database}`, place: 'harbor', timeZone: 'UTC' })
    },
    cleanUp: async () => {
      await askClickhouse(url, `drop database ${database}`, 'default')
    },
    runningStatements: async () =>
      Number(
        await askClickhouse(
          url,
          `select count() from system.processes where http_user_agent like 'querent%' and (query like '%= ${mark} and%' or query like '%endless%') and query not like 'KILL%'`,
          'default',
        ),
      ),
    heldResources: async () => openConnectionsTo(Number(new URL(url).port)),
    declares: {
      keys: false,
      nullability: true,
      textType: 'string',
      kinds: { 'ships.active': 'integer' },
      joinedNames: ['id', 'b.id', 'name', 'b.name'],
    },
    typed: {
      sql: `select toUInt8(1) as small, 2147483647 as whole, 9007199254740991 as large, 9007199254740993 as larger,
        18446744073709551615 as largest, toDecimal64(2.5, 2) as part, toDecimal64(3, 2) as round,
        toDecimal128('12345678901234567.5', 1) as exact, toFloat32(0.1) as single, 1.5e300 as double, nan as none,
        'x\\ty\\n\\\\z' as words, toFixedString('y', 3) as few, toDate('2024-01-02') as day,
        toDateTime('2024-01-02 03:04:05') as moment, [1, 9007199254740993] as list, [['a\\'b'], []] as lists,
        (1, 'x') as pair, toUUID('12151fd2-7586-11e9-8f9e-2a86e4085a59') as id, null as absent`,
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
        { name: 'list', kind: 'json' },
        { name: 'lists', kind: 'json' },
        { name: 'pair', kind: 'json' },
        { name: 'id', kind: 'text' },
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
        'nan',
        'x\ty\n\\z',
        'y',
        '2024-01-02',
        '2024-01-02T03:04:05',
        '[1,9007199254740993]',
        '[["a\'b"],[]]',
        '[1,"x"]',
        '12151fd2-7586-11e9-8f9e-2a86e4085a59',
        null,
      ],
    },
    roleCanWrite: null,
    runaway: `select count() from system.numbers where sipHash64(number) = ${mark} and sipHash64(number + 1) = 2`,
    numbers: count => (count > 100_000_000 ? `select number as n from numbers(${count})` : numbers(count)),
    texts: (length, count) =>
      `select arrayStringConcat(arrayMap(x -> 'x', range(${length}))) from (${numbers(count)})`,
    writes: [
      "insert into ports values (9, 'x', null, null)",
      'insert into stops select * from stops',
      'alter table ships delete where 1',
      "alter table ships update name = 'x' where 1",
      'truncate table stops',
      'create table loot (x Int32) engine = Memory',
      'create table loot engine = Memory as select 1 as x',
      'create view loot as select 1',
      `create database loot`,
      'drop table stops',
      'alter table ports add column x Int32',
      'rename table ports to harbors',
      'optimize table ships',
      'detach table stops',
      "select * from ports into outfile '/tmp/querent-loot'",
      'select * from ports format Native',
      'select * from ports settings readonly = 0',
      'set readonly = 0',
      'set max_execution_time = 0',
      'use default',
      'system flush logs',
      'system drop dns cache',
      "kill query where query_id = 'x'",
      'show tables',
      'grant select on *.* to nobody',
    ],
    errors: [
      ['syntax', 'select * from'],
      ['syntax', "select 'open"],
      ['unknown-table', 'select * from docks'],
      ['unknown-table', 'select * from nowhere.docks'],
      ['unknown-column', 'select nope from ports'],
      ['type-mismatch', "select toDate('yesterday evening')"],
      ['type-mismatch', "select toInt32('x')"],
      ['function', 'select nope(1)'],
      ['function', 'select lower(1, 2, 3)'],
      ['aggregation', 'select name, count() from ports'],
      ['aggregation', 'select sum(sum(id)) from ports'],
      ['other', 'select intDiv(1, 0)'],
    ],
  })
})
